#!/usr/bin/env perl
# json_schema.pl - holds a JSON file to a schema of draft 4, with the modules that perl comes with.
#
#     json_schema.pl SCHEMA FILE
#
# Prints each place that the schema does not allow; exit status 1 when there is one. A keyword that
# is not known here stops it, so that nothing is passed over.
use strict;
use warnings;
use JSON::PP;
use B ();

our ($whole, @wrong); # the schema; what does not hold
($whole, my $file_value) = map {
    open(my $file, '<:raw', $_) or die "$_: $!\n";
    local $/;
    JSON::PP->new->utf8->decode(<$file>);
} @ARGV[0, 1];
my $writer = JSON::PP->new->canonical->allow_nonref;
my %ignored = map { $_ => 1 } qw($schema id $id title description default definitions);

sub type_of {
    my ($value) = @_;
    return 'null' if !defined $value;
    return 'boolean' if JSON::PP::is_bool($value);
    return 'object' if ref $value eq 'HASH';
    return 'array' if ref $value eq 'ARRAY';
    return 'string' if B::svref_2object(\$value)->FLAGS & B::SVf_POK;
    return $value == int $value ? 'integer' : 'number';
}

sub is_type {
    my ($value, $type) = @_;
    my $own = type_of($value);
    return $own eq $type || ($own eq 'integer' && $type eq 'number');
}

# What follows the name of a format: RFC 3986, RFC 3339.
sub is_format {
    my ($text, $format) = @_;
    return $text =~ /^([A-Za-z][A-Za-z0-9+.-]*:)?([A-Za-z0-9._~:\/?#\[\]@!\$&'()*+,;=-]|%[0-9A-Fa-f]{2})*\z/
        if $format eq 'uri-reference';
    return $text =~ /^[A-Za-z][A-Za-z0-9+.-]*:/ && is_format($text, 'uri-reference')
        if $format eq 'uri';
    return $text =~ /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)\z/
        if $format eq 'date-time';
    die "unknown format $format\n";
}

# How many complaints a part of the schema has of the value; they are not kept.
sub complaints {
    my ($schema, $value) = @_;
    local @wrong;
    check($schema, $value, '');
    return scalar @wrong;
}

my %keyword = (
    type => sub { grep { is_type($_[1], $_) } ref $_[0] ? @{$_[0]} : $_[0] },
    enum => sub {
        my ($all, $value) = @_;
        grep { $writer->encode($_) eq $writer->encode($value) } @$all;
    },
    required => sub { ref $_[1] ne 'HASH' || !grep { !exists $_[1]{$_} } @{$_[0]} },
    minimum => sub { !is_type($_[1], 'number') || $_[1] >= $_[0] },
    maximum => sub { !is_type($_[1], 'number') || $_[1] <= $_[0] },
    minItems => sub { ref $_[1] ne 'ARRAY' || @{$_[1]} >= $_[0] },
    uniqueItems => sub {
        my %seen;
        !$_[0] || ref $_[1] ne 'ARRAY' || !grep { $seen{$writer->encode($_)}++ } @{$_[1]};
    },
    pattern => sub { type_of($_[1]) ne 'string' || $_[1] =~ /$_[0]/ },
    format => sub { type_of($_[1]) ne 'string' || is_format($_[1], $_[0]) },
    anyOf => sub { my ($all, $value) = @_; grep { !complaints($_, $value) } @$all },
    oneOf => sub { my ($all, $value) = @_; 1 == grep { !complaints($_, $value) } @$all },
    not => sub { complaints($_[0], $_[1]) },
);

sub check_members {
    my ($schema, $value, $place) = @_;
    for my $name (sort keys %$value) {
        my $of = $schema->{properties}{$name} // $schema->{additionalProperties} // {};
        if (ref $of eq 'HASH') {
            check($of, $value->{$name}, "$place/$name");
        } elsif (!$of) {
            push @wrong, "$place: additional member $name";
        }
    }
}

sub check {
    my ($schema, $value, $place) = @_;
    if (my $to = $schema->{'$ref'}) {
        my $part = $whole;
        $part = $part->{$_} // die "no $to\n" for grep { $_ ne '#' } split m{/}, $to;
        return check($part, $value, $place);
    }
    for my $key (sort keys %$schema) {
        next if $ignored{$key} || $key =~ /^(properties|additionalProperties|items)$/;
        my $holds = $keyword{$key} // die "unknown keyword $key\n";
        push @wrong, "$place: $key" if !$holds->($schema->{$key}, $value);
    }
    check_members($schema, $value, $place) if ref $value eq 'HASH';
    if (ref $value eq 'ARRAY' && $schema->{items}) {
        check($schema->{items}, $value->[$_], "$place/$_") for 0 .. $#$value;
    }
}

check($whole, $file_value, '');
print "$_\n" for @wrong;
exit(@wrong > 0);
