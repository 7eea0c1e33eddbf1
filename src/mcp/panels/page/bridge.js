/** Talks to the host of the page by the protocol of MCP Apps (2026-01-26): JSON-RPC over postMessage. */

const PROTOCOL = '2026-01-26';
const waiting = new Map();
let lastId = 0;
let redraw = () => {};

/** Asks the host; settles with its result. */
export function ask(method, params) {
  lastId += 1;
  const id = lastId;
  window.parent.postMessage({ jsonrpc: '2.0', id, method, params }, '*');
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function tell(method, params = {}) {
  window.parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
}

function tellHeight() {
  tell('ui/notifications/size-changed', { height: Math.ceil(document.body.getBoundingClientRect().height) });
}

/** What is known of host and call; pages draw from this and from nothing else. */
export const state = {
  locale: 'en',
  timeZone: undefined,
  host: {},
  args: {},
  answer: null,
  failure: null,
};

/** Begins the conversation; `draw` is called whenever something to be shown has changed. */
export function start(draw) {
  redraw = () => {
    draw(state);
    tellHeight();
  };
  const told = {
    'ui/notifications/tool-input': ({ arguments: args }) => {
      state.args = args ?? {};
    },
    'ui/notifications/tool-result': takeResult,
    'ui/notifications/tool-cancelled': () => {
      state.failure = 'cancelled';
    },
    'ui/notifications/host-context-changed': takeContext,
  };
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) return settle(data);
    if (data.id !== undefined) return answer(data);
    if (Object.hasOwn(told, data.method)) {
      told[data.method](data.params ?? {});
      redraw();
    }
  });
  let width = document.body.clientWidth;
  new ResizeObserver(() => {
    if (width === document.body.clientWidth) return tellHeight();
    width = document.body.clientWidth;
    redraw();
  }).observe(document.body);
  redraw();
  ask('ui/initialize', {
    appInfo: { name: 'kobana', version: '1.0.0' },
    appCapabilities: {},
    protocolVersion: PROTOCOL,
  }).then(({ hostContext, hostCapabilities }) => {
    state.host = hostCapabilities ?? {};
    takeContext(hostContext ?? {});
    tell('ui/notifications/initialized');
    redraw();
  });
}

/** Calls a tool through the host and shows its answer instead. */
export async function call(name, args) {
  const result = await ask('tools/call', { name, arguments: args });
  state.args = args;
  takeResult(result);
  redraw();
}

/** Takes the answer of a tool; hosts may pass it on as text alone. */
function takeResult({ isError, structuredContent, content }) {
  const text = content?.find(({ type }) => type === 'text')?.text ?? '';
  state.failure = isError ? messageIn(text) : null;
  if (!isError) state.answer = structuredContent ?? parsed(text);
}

function messageIn(text) {
  return parsed(text)?.error?.message ?? text.slice(0, 300);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function takeContext({ locale, timeZone, theme, styles }) {
  const root = document.documentElement;
  if (locale !== undefined) {
    state.locale = /^pt\b/i.test(locale) ? 'pt-BR' : 'en';
    root.lang = state.locale;
  }
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  if (typeof timeZone === 'string') state.timeZone = timeZone;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith('--') && typeof value === 'string') root.style.setProperty(name, value);
  }
}

function settle({ id, result, error }) {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) asked?.resolve(result);
  else asked?.reject(new Error(error.message));
}

/** A host asks for little: whether we are there, and to end. */
function answer({ id, method }) {
  const isKnown = method === 'ping' || method === 'ui/resource-teardown';
  const reply = isKnown ? { result: {} } : { error: { code: -32601, message: 'Method not found' } };
  window.parent.postMessage({ jsonrpc: '2.0', id, ...reply }, '*');
}
