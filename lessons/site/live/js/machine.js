// The machine of this page: lessons/site/live/live.h, from JavaScript. What is given here and comes
// back is what the machine says; nothing is computed beside it.
//
//     const machine = await Machine.open("01_coalescing");
//     const x = machine.allocate(4096);
//     const {result, steps} = machine.launch({kernel: "strided", grid: [1], block: [32],
//                                             parameters: [long(x), int(2)], watch: [0, 0, 0]});
//
// A machine begins afresh with begin(), so that the same calls have the same addresses. It keeps
// the calls since then, and those before, as text, by which a test asks the native machine the same
// (grader/tests/live/alike.h).

const LIVE_DATA = {}; // name: base64 of gzip, from the scripts that the build makes
let liveModule;       // compiled once for all figures of the page

function bytesOfBase64(text) {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

async function unpacked(name) {
  const packed = new Blob([bytesOfBase64(LIVE_DATA[name])]);
  const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpackedText(name) {
  return new TextDecoder().decode(await unpacked(name));
}

// Parameters of a kernel, as bytes.
function parameterBytes(size, set) {
  const view = new DataView(new ArrayBuffer(size));
  set(view);
  return new Uint8Array(view.buffer);
}
const long = value => parameterBytes(8, view => view.setBigInt64(0, BigInt(value), true));
const int = value => parameterBytes(4, view => view.setInt32(0, value, true));
const float = value => parameterBytes(4, view => view.setFloat32(0, value, true));

const hexOf = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");

// What the machine refuses, in its own words.
class Refused extends Error {}

class Machine {
  static async open(image) {
    liveModule ??= new WebAssembly.Module(await unpacked("machine.wasm"));
    const machine = new Machine();
    machine.image = image && `${image}.fatbin`;
    machine.imageBytes = image && await unpacked(machine.image);
    machine.source = image && await unpackedText(`${image}.cu`);
    machine.begin(liveModule);
    return machine;
  }

  // A fresh device. Code that was loaded stays, unless load is called.
  begin(module) {
    this.module ??= module;
    this.before = {calls: this.calls ?? [], answers: this.answers ?? []};
    this.calls = [];
    this.answers = [];
    if (!this.live)
      this.instantiate();
    this.keep("open");
    this.call("open");
    if (this.imageBytes)
      this.load(this.imageBytes, this.image);
  }

  instantiate() {
    const host = {give_up: place => {
      this.live.live_gave_up(place);
      throw new Refused();
    }};
    const nothing = () => 52; // of WASI: the machine opens no files; it cannot be asked to
    const wasi = new Proxy({}, {get: () => nothing});
    const imports = Object.fromEntries(WebAssembly.Module.imports(this.module).map(
      ({module, name}) => [module, module === "host" ? host : {}]));
    for (const {module, name} of WebAssembly.Module.imports(this.module))
      if (module !== "host")
        imports[module][name] = wasi[name];
    const instance = new WebAssembly.Instance(this.module, imports);
    this.live = instance.exports;
    this.live._initialize?.();
  }

  textAt(place) {
    const bytes = new Uint8Array(this.live.memory.buffer, place);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  get error() {
    return this.textAt(this.live.live_error());
  }

  // Calls live_NAME; a false answer becomes an exception with the machine's sentence. After its
  // parser has given up an instance is over, but it can still tell why.
  call(name, ...given) {
    let answer;
    try {
      answer = this.live[`live_${name}`](...given);
    } catch (error) {
      const why = error instanceof Refused ? this.error : `the device stopped: ${error.message}`;
      this.live = null;
      throw this.refused(why);
    }
    if (answer === 0)
      throw this.refused(this.error);
    return answer;
  }

  refused(why) {
    this.answers.push(["refused", why]);
    return new Refused(why);
  }

  // Calls it with a copy of bytes in the machine's memory.
  callWith(bytes, name, before, after) {
    const place = this.live.malloc(bytes.length + 1);
    new Uint8Array(this.live.memory.buffer, place, bytes.length + 1).set([...bytes, 0]);
    try {
      return this.call(name, ...before, place, ...after);
    } finally {
      this.live?.free(place);
    }
  }

  keep(...words) {
    this.calls.push(words.join(" "));
  }

  // An image by its name, or text that has none.
  load(bytes, name) {
    const place = this.live.malloc(bytes.length);
    new Uint8Array(this.live.memory.buffer, place, bytes.length).set(bytes);
    this.keep(...name ? ["load", name] : ["text", hexOf(bytes)]);
    this.call("load", place, bytes.length);
    this.live.free(place);
  }

  allocate(bytes) {
    this.keep("allocate", bytes);
    return this.call("allocate", bytes);
  }

  // Numbers between -1 and 1.
  fill(address, count) {
    this.keep("fill", address, count);
    this.call("fill", address, count);
  }

  bytes(address, size) {
    return new Uint8Array(this.live.memory.buffer, this.call("bytes", address, size), size);
  }

  write(address, bytes) {
    this.keep("write", address, hexOf(bytes));
    this.bytes(address, bytes.length).set(bytes);
  }

  read(address, size) {
    const bytes = this.bytes(address, size).slice();
    this.keep("read", address, size);
    this.answers.push(["read", bytes]);
    return bytes;
  }

  launch({kernel, grid, block, parameters, shared = 0, checks = 0, most = 2 ** 28, watch,
          sample}) {
    for (const bytes of parameters) {
      this.keep("parameter", hexOf(bytes));
      this.callWith(bytes, "parameter", [], [bytes.length]);
    }
    if (watch) {
      this.keep("watch", ...watch);
      this.live.live_watch(...watch);
    }
    if (sample) { // so many blocks stand for all
      this.keep("sample", sample);
      this.live.live_sample(sample);
    }
    const shape = [grid[0], grid[1] ?? 1, block[0], block[1] ?? 1, shared, checks, most];
    this.keep("launch", kernel, ...shape);
    this.callWith(new TextEncoder().encode(kernel), "launch", [], shape);
    return {result: this.answer("result"), steps: watch ? this.answer("steps") : []};
  }

  // Its name and its ceilings.
  device() {
    return this.answer("device");
  }

  answer(name) {
    const text = this.textAt(this.call(name));
    this.keep(name);
    this.answers.push([name, text]);
    return JSON.parse(text);
  }
}
