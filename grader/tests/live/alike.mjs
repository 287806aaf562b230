// Runs alike.wasm: node alike.mjs alike.wasm WORDS... Status 3: its parser gave up, and with it
// that instance; the next one may go on after the case that was told last.
//
// The program reads files below this folder and its input, and writes its output: so much of WASI
// is here, since node's own is an experiment that dies now and then.
import {readFileSync, readSync, openSync, closeSync, fstatSync, writeSync} from "node:fs";

const GAVE_UP = 3;
const BAD_FILE = 8, NO_ENTRY = 44, NOT_THERE = 52; // of WASI
const FOLDER = 3, REGULAR_FILE = 4, IS_FOLDER = 3;
const [path, ...words] = process.argv.slice(2);

class GiveUp extends Error {}
class Exit extends Error {}

let memory;
const view = () => new DataView(memory.buffer);
const bytes = (at, count) => new Uint8Array(memory.buffer, at, count);

function setWord(at, value) {
  view().setUint32(at, value, true);
  return 0;
}

// Calls transfer for each piece of memory that the list names; says how much went through.
function eachPiece(list, count, used, transfer) {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const at = view().getUint32(list + 8 * i, true);
    const size = view().getUint32(list + 8 * i + 4, true);
    const went = size ? transfer(bytes(at, size)) : 0;
    total += went;
    if (went < size)
      break;
  }
  return setWord(used, total);
}

const args = ["alike", ...words].map(word => new TextEncoder().encode(word + "\0"));

const calls = {
  args_sizes_get: (count, size) =>
    setWord(count, args.length) || setWord(size, args.reduce((sum, word) => sum + word.length, 0)),
  args_get(places, at) {
    args.forEach((word, i) => {
      setWord(places + 4 * i, at);
      bytes(at, word.length).set(word);
      at += word.length;
    });
    return 0;
  },
  environ_sizes_get: (count, size) => setWord(count, 0) || setWord(size, 0),
  environ_get: () => 0,
  fd_prestat_get: (file, at) => file === FOLDER ? setWord(at, 0) || setWord(at + 4, 1) : BAD_FILE,
  fd_prestat_dir_name(file, at) {
    bytes(at, 1).set([".".charCodeAt(0)]);
    return 0;
  },
  fd_fdstat_get(file, at) {
    bytes(at, 24).fill(0);
    bytes(at + 8, 16).fill(255); // every right
    bytes(at, 1).set([file === FOLDER ? IS_FOLDER : REGULAR_FILE]);
    return 0;
  },
  path_open(folder, flags, at, size, ...rest) {
    try {
      const name = new TextDecoder().decode(bytes(at, size).slice());
      return setWord(rest[4], openSync(name, "r") + 100);
    } catch {
      return NO_ENTRY;
    }
  },
  fd_read: (file, list, count, used) => eachPiece(list, count, used, piece => {
    try {
      return readSync(file < 100 ? file : file - 100, piece);
    } catch (error) {
      if (error.code === "EOF")
        return 0;
      throw error;
    }
  }),
  fd_write: (file, list, count, used) =>
    eachPiece(list, count, used, piece => writeSync(file, piece)),
  fd_seek(file, offset, from, at) { // asked for the size only
    view().setBigUint64(at, BigInt(fstatSync(file - 100).size), true);
    return 0;
  },
  fd_close(file) {
    if (file >= 100)
      closeSync(file - 100);
    return 0;
  },
  proc_exit(status) { throw new Exit(status); },
};

const code = new WebAssembly.Module(readFileSync(path));
const wasi = {};
for (const {module, name} of WebAssembly.Module.imports(code))
  if (module === "wasi_snapshot_preview1")
    wasi[name] = calls[name] ?? (() => NOT_THERE);
const host = {give_up() { throw new GiveUp(); }};
const instance = new WebAssembly.Instance(code, {wasi_snapshot_preview1: wasi, host});
memory = instance.exports.memory;
try {
  instance.exports._start();
} catch (error) {
  if (error instanceof GiveUp)
    writeSync(1, "refused: parser\n");
  else if (!(error instanceof Exit))
    throw error;
  process.exitCode = error instanceof GiveUp ? GAVE_UP : Number(error.message);
}
