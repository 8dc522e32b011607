import { gzipSync } from 'node:zlib'
import type { ProviderExchange } from './provider-exchange.ts'
import { errorNames } from './provider-format.ts'
import { streamFaults } from './stream-faults.ts'

export type Fault = (exchange: ProviderExchange) => void | Promise<void>

const megabyte = 1024 * 1024

/** The complete answer, as a body or all events of a stream. */
const formatAnswer = (exchange: ProviderExchange) =>
  exchange.isStreamed ? exchange.events.join('') : exchange.format.formatBody(exchange.answer)

const statusFaults = Object.fromEntries(
  errorNames.map((name): [string, Fault] => [`status-${name}`, (exchange) => exchange.fail(name)]),
)

const failWithRetryAfter =
  (headers: (now: number) => Record<string, string>): Fault =>
  (exchange) =>
    exchange.fail('429', headers(Date.now()))

const waitFaults: Record<string, Fault> = {
  'retry-after-seconds': failWithRetryAfter(() => ({ 'retry-after': '2' })),
  'retry-after-date': failWithRetryAfter((now) => ({ 'retry-after': new Date(now + 3000).toUTCString() })),
  'retry-after-ms': failWithRetryAfter(() => ({ 'retry-after-ms': '1700', 'retry-after': '2' })),
  'retry-after-negative': failWithRetryAfter(() => ({ 'retry-after': '-5' })),
  'retry-after-garbage': failWithRetryAfter(() => ({ 'retry-after': 'abc' })),
  'retry-after-day': failWithRetryAfter(() => ({ 'retry-after': '86400' })),
  'retry-after-past': failWithRetryAfter((now) => ({
    'retry-after': new Date(now - 60_000).toUTCString(),
    'x-ratelimit-reset': '1000000000',
  })),
  'skewed-date': failWithRetryAfter((now) => ({
    date: new Date(now - 3_600_000).toUTCString(),
    'retry-after': new Date(now - 3_600_000 + 2000).toUTCString(),
  })),
  'should-not-retry': (exchange) => exchange.fail('500', { 'x-should-retry': 'false' }),
  'status-502-html': (exchange) =>
    exchange.sendBody('<html><body><h1>502 Bad Gateway</h1></body></html>', { 'content-type': 'text/html' }, 502),
  'status-413-html': (exchange) =>
    exchange.sendBody(
      '<html><body><h1>413 Request Entity Too Large</h1></body></html>',
      { 'content-type': 'text/html' },
      413,
    ),
}

const createRedirectFault =
  (status: number): Fault =>
  (exchange) => {
    // Following the redirect gets a good answer, so it can't be mistaken for a failure.
    if (exchange.request.path.includes('elsewhere')) return exchange.ok()
    // The same server under another name: a different host for clients, and every request is recorded.
    const location = `${exchange.url.replace('127.0.0.1', 'localhost')}/v1/elsewhere`
    exchange.sendBody('', { location }, status)
  }

const redirectFaults = Object.fromEntries(
  [301, 302, 303, 307, 308].map((status) => [`redirect-${status}`, createRedirectFault(status)]),
)

const connectionFaults: Record<string, Fault> = {
  'reset-before-answer': (exchange) => exchange.reset(),
  'close-before-answer': (exchange) => exchange.cut(),
  'reset-after-headers': async (exchange) => {
    exchange.writeHead()
    await exchange.pause(20)
    exchange.reset()
  },
  'headers-never': (exchange) => exchange.waitUntilClosed(),
  'body-never': async (exchange) => {
    exchange.writeHead()
    await exchange.waitUntilClosed()
  },
  'slow-loris': async (exchange) => {
    exchange.writeHead()
    const bytes = Buffer.from(formatAnswer(exchange))
    for (let index = 0; index < bytes.length && !exchange.isClosed; index += 1) {
      await exchange.write(bytes.subarray(index, index + 1))
      await exchange.pause(exchange.slowMs)
    }
    exchange.end()
  },
}

const bodyFaults: Record<string, Fault> = {
  'ok-error-json': (exchange) =>
    exchange.sendBody(JSON.stringify(exchange.createError('401').body), { 'content-type': 'application/json' }),
  'ok-html': (exchange) =>
    exchange.sendBody('<html><body>Welcome to the hotel Wi-Fi</body></html>', { 'content-type': 'text/html' }),
  'html-as-promised-type': (exchange) => exchange.sendBody('<html><body>Welcome to the hotel Wi-Fi</body></html>'),
  'ok-empty': (exchange) => exchange.sendBody(''),
  'no-content': (exchange) => {
    exchange.response.writeHead(204)
    exchange.end()
  },
  'json-cut': (exchange) =>
    exchange.sendBody(String(exchange.format.formatBody(exchange.answer)).slice(0, -40), {
      'content-type': 'application/json',
    }),
  'body-cut': async (exchange) => {
    const responseBytes = Buffer.from(exchange.format.formatBody(exchange.answer))
    exchange.writeHead(200, { 'content-length': String(responseBytes.length) })
    await exchange.write(responseBytes.subarray(0, responseBytes.length >> 1))
    exchange.cut()
  },
  'wrong-content-type': (exchange) =>
    exchange.sendBody(formatAnswer(exchange), {
      'content-type': 'text/plain',
    }),
  'stream-as-json': (exchange) =>
    exchange.sendBody(formatAnswer(exchange), {
      'content-type': 'application/json; charset=iso-8859-15',
    }),
  'json-for-stream': (exchange) =>
    exchange.sendBody(exchange.format.formatBody(exchange.answer), { 'content-type': 'application/json' }),
  'stream-for-json': (exchange) => exchange.sendBody(exchange.events.join(''), { 'content-type': 'text/event-stream' }),
  'blank-before': (exchange) => exchange.sendBody(`\n \n${formatAnswer(exchange)}`),
  'gzip-bomb': (exchange) => exchange.sendBody(createGzipBomb(exchange.isStreamed), { 'content-encoding': 'gzip' }),
  'huge-body': async (exchange) => {
    exchange.writeHead()
    const chunk = exchange.isStreamed
      ? exchange.format.ping.repeat(Math.ceil(megabyte / exchange.format.ping.length))
      : ' '.repeat(megabyte)
    for (let sent = 0; sent < 20 && !exchange.isClosed; sent += 1) await exchange.write(chunk)
    exchange.end()
  },
  'wrong-charset': (exchange) => {
    const text = String(formatAnswer(exchange))
    exchange.writeHead(200, {
      'content-type': `${exchange.isStreamed ? 'text/event-stream' : 'application/json'}; charset=iso-8859-1`,
    })
    exchange.end(Buffer.from(text, 'latin1'))
  },
  'invalid-utf8': (exchange) => {
    const text = String(formatAnswer(exchange))
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('é')] = 0xff
    exchange.sendBody(bytes)
  },
  bom: (exchange) => exchange.sendBody(`\uFEFF${formatAnswer(exchange)}`),
  'no-choices': (exchange) => exchange.sendBody(JSON.stringify({ id: 'x', type: 'nothing', choices: [] })),
}

const gzipBombs = new Map<boolean, Buffer>()

/** 64 MB of padding, compressed once because compression is slow. */
function createGzipBomb(isStreamed: boolean): Buffer {
  const padding = isStreamed ? `: ${' '.repeat(1000)}\n\n` : ' '.repeat(1000)
  const bomb = gzipBombs.get(isStreamed) ?? gzipSync(padding.repeat(64 * 1024))
  gzipBombs.set(isStreamed, bomb)
  return bomb
}

const weatherCall = { name: 'look_up_the_weather', arguments: { place: 'Paris' } }

const finishFaults: Record<string, Fault> = {
  'finish-content-filter': (exchange) => answerWith(exchange, { finish: 'content-filter' }),
  'finish-refusal': (exchange) => answerWith(exchange, { finish: 'refusal' }),
  'finish-length': (exchange) => answerWith(exchange, { finish: 'length' }),
  'finish-pause': (exchange) => answerWith(exchange, { finish: 'pause' }),
  'finish-tool-calls': (exchange) =>
    answerWith(exchange, { finish: 'tool-calls', tokens: [], toolCalls: [weatherCall] }),
  'finish-tool-calls-broken': (exchange) =>
    answerWith(exchange, {
      finish: 'tool-calls',
      tokens: [],
      toolCalls: [{ ...weatherCall, arguments: '{"place": "Par' }],
    }),
  'finish-tool-calls-many': (exchange) =>
    answerWith(exchange, {
      finish: 'tool-calls',
      tokens: [],
      toolCalls: Array.from({ length: 100 }, () => weatherCall),
    }),
  'empty-text': (exchange) => answerWith(exchange, { tokens: [] }),
  'usage-absent': (exchange) => answerWith(exchange, { usage: null }),
  'usage-absurd': (exchange) => answerWith(exchange, { usage: { input: 1e12, output: 1e12 } }),
  'usage-negative': (exchange) => answerWith(exchange, { usage: { input: -4, output: -4 } }),
  'echo-prompt': (exchange) => exchange.fail('400'),
  'echo-key': (exchange) => exchange.fail('401'),
}

function answerWith(exchange: ProviderExchange, changes: Partial<ProviderExchange['answer']>): Promise<void> {
  exchange.answer = { ...exchange.answer, ...changes }
  return exchange.ok()
}

/** Every behavior of the fake by name; `ok` is the default. */
export const faults: Record<string, Fault> = {
  ok: (exchange) => exchange.ok(),
  ...statusFaults,
  ...waitFaults,
  ...redirectFaults,
  ...connectionFaults,
  ...bodyFaults,
  ...finishFaults,
  ...streamFaults,
}
