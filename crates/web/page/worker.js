// The engine as WebAssembly in a worker: questions come as messages, answers and reports of searches go back as messages.

/** @type {Promise<WebAssembly.Module>} */
let module;
/** @type {(module: WebAssembly.Module) => void} */
let given = () => {};
module = new Promise((resolve) => (given = resolve));

/** @type {any} */
let engine = null;
let asking = 0;
const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];

const text = (/** @type {number} */ at, /** @type {number} */ length) => decoder.decode(new Uint8Array(engine.memory.buffer, at, length));

const imports = {
  ludex: {
    now: () => performance.now(),
    told: (/** @type {number} */ at, /** @type {number} */ length) => postMessage({ id: asking, report: JSON.parse(text(at >>> 0, length)) }),
  },
};

/** @param {any} question */
function ask(question) {
  const bytes = encoder.encode(JSON.stringify(question));
  const room = engine.room(bytes.length) >>> 0;
  new Uint8Array(engine.memory.buffer, room, bytes.length).set(bytes);
  const answer = BigInt.asUintN(64, engine.ask(room, bytes.length));
  const [at, length] = [Number(answer >> 32n), Number(answer & 0xffffffffn)];
  const value = JSON.parse(text(at, length));
  engine.free(at, length);
  return value;
}

let turn = Promise.resolve();

onmessage = ({ data }) => {
  if (data.module) return given(data.module);
  turn = turn.then(async () => {
    asking = data.id;
    try {
      engine ??= (await WebAssembly.instantiate(await module, imports)).exports;
      const value = ask(data.question);
      postMessage({ id: data.id, ...value });
    } catch (error) {
      // What failed in the middle of something is not asked again.
      engine = null;
      const memory = error instanceof RangeError || /memory|grow/.test(String(error));
      postMessage({ id: data.id, error: memory ? "these rules or this search take more memory than a browser gives" : "this failed; it is a fault of the program" });
    }
  });
};
