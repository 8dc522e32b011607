import { gzipSync } from 'node:zlib'
import { errorNames } from './speech.ts'
import { streamFaults } from './stream-faults.ts'
import type { Visit } from './visit.ts'

export type Fault = (visit: Visit) => void | Promise<void>

const megabyte = 1024 * 1024

const statusFaults = Object.fromEntries(
  errorNames.map((name): [string, Fault] => [`status-${name}`, (visit) => visit.fail(name)]),
)

const retryAfter =
  (headers: (now: number) => Record<string, string>): Fault =>
  (visit) =>
    visit.fail('429', headers(Date.now()))

const waitFaults: Record<string, Fault> = {
  'retry-after-seconds': retryAfter(() => ({ 'retry-after': '2' })),
  'retry-after-date': retryAfter((now) => ({ 'retry-after': new Date(now + 3000).toUTCString() })),
  'retry-after-ms': retryAfter(() => ({ 'retry-after-ms': '1700', 'retry-after': '2' })),
  'retry-after-negative': retryAfter(() => ({ 'retry-after': '-5' })),
  'retry-after-garbage': retryAfter(() => ({ 'retry-after': 'abc' })),
  'retry-after-day': retryAfter(() => ({ 'retry-after': '86400' })),
  'retry-after-past': retryAfter((now) => ({
    'retry-after': new Date(now - 60_000).toUTCString(),
    'x-ratelimit-reset': '1000000000',
  })),
  'skewed-date': retryAfter((now) => ({
    date: new Date(now - 3_600_000).toUTCString(),
    'retry-after': new Date(now - 3_600_000 + 2000).toUTCString(),
  })),
  'should-not-retry': (visit) => visit.fail('500', { 'x-should-retry': 'false' }),
  'status-502-html': (visit) =>
    visit.whole('<html><body><h1>502 Bad Gateway</h1></body></html>', { 'content-type': 'text/html' }, 502),
  'status-413-html': (visit) =>
    visit.whole(
      '<html><body><h1>413 Request Entity Too Large</h1></body></html>',
      { 'content-type': 'text/html' },
      413,
    ),
}

const redirect =
  (status: number): Fault =>
  (visit) => {
    // Following the redirect gets a good answer, so it can't be mistaken for a failure.
    if (visit.request.path.includes('elsewhere')) return visit.ok()
    // The same server under another name: a different host for clients, and every request is recorded.
    const location = `${visit.url.replace('127.0.0.1', 'localhost')}/v1/elsewhere`
    visit.whole('', { location }, status)
  }

const redirectFaults = Object.fromEntries(
  [301, 302, 303, 307, 308].map((status) => [`redirect-${status}`, redirect(status)]),
)

const connectionFaults: Record<string, Fault> = {
  'reset-before-answer': (visit) => visit.reset(),
  'close-before-answer': (visit) => visit.cut(),
  'reset-after-headers': async (visit) => {
    visit.head()
    await visit.pause(20)
    visit.reset()
  },
  'headers-never': (visit) => visit.untilClosed(),
  'body-never': async (visit) => {
    visit.head()
    await visit.untilClosed()
  },
  'slow-loris': async (visit) => {
    visit.head()
    const bytes = Buffer.from(visit.stream ? visit.events.join('') : visit.speech.whole(visit.answer))
    for (let at = 0; at < bytes.length && !visit.closed; at += 1) {
      await visit.write(bytes.subarray(at, at + 1))
      await visit.pause(visit.slowMs)
    }
    visit.end()
  },
}

const bodyFaults: Record<string, Fault> = {
  'ok-error-json': (visit) =>
    visit.whole(JSON.stringify(visit.errorOf('401').body), { 'content-type': 'application/json' }),
  'ok-html': (visit) =>
    visit.whole('<html><body>Welcome to the hotel Wi-Fi</body></html>', { 'content-type': 'text/html' }),
  'html-as-promised-type': (visit) => visit.whole('<html><body>Welcome to the hotel Wi-Fi</body></html>'),
  'ok-empty': (visit) => visit.whole(''),
  'no-content': (visit) => {
    visit.response.writeHead(204)
    visit.end()
  },
  'json-cut': (visit) =>
    visit.whole(String(visit.speech.whole(visit.answer)).slice(0, -40), { 'content-type': 'application/json' }),
  'body-cut': async (visit) => {
    const whole = Buffer.from(visit.speech.whole(visit.answer))
    visit.head(200, { 'content-length': String(whole.length) })
    await visit.write(whole.subarray(0, whole.length >> 1))
    visit.cut()
  },
  'wrong-content-type': (visit) =>
    visit.whole(visit.stream ? visit.events.join('') : visit.speech.whole(visit.answer), {
      'content-type': 'text/plain',
    }),
  'stream-as-json': (visit) =>
    visit.whole(visit.stream ? visit.events.join('') : visit.speech.whole(visit.answer), {
      'content-type': 'application/json; charset=iso-8859-15',
    }),
  'json-for-stream': (visit) => visit.whole(visit.speech.whole(visit.answer), { 'content-type': 'application/json' }),
  'stream-for-json': (visit) => visit.whole(visit.events.join(''), { 'content-type': 'text/event-stream' }),
  'blank-before': (visit) =>
    visit.whole(`\n \n${visit.stream ? visit.events.join('') : visit.speech.whole(visit.answer)}`),
  'gzip-bomb': (visit) => visit.whole(bombOf(visit.stream), { 'content-encoding': 'gzip' }),
  'huge-body': async (visit) => {
    visit.head()
    const piece = visit.stream
      ? visit.speech.ping.repeat(Math.ceil(megabyte / visit.speech.ping.length))
      : ' '.repeat(megabyte)
    for (let sent = 0; sent < 20 && !visit.closed; sent += 1) await visit.write(piece)
    visit.end()
  },
  'wrong-charset': (visit) => {
    const text = visit.stream ? visit.events.join('') : String(visit.speech.whole(visit.answer))
    visit.head(200, {
      'content-type': `${visit.stream ? 'text/event-stream' : 'application/json'}; charset=iso-8859-1`,
    })
    visit.end(Buffer.from(text, 'latin1'))
  },
  'invalid-utf8': (visit) => {
    const text = visit.stream ? visit.events.join('') : String(visit.speech.whole(visit.answer))
    const bytes = Buffer.from(text)
    bytes[bytes.indexOf('é')] = 0xff
    visit.whole(bytes)
  },
  bom: (visit) => visit.whole(`\uFEFF${visit.stream ? visit.events.join('') : visit.speech.whole(visit.answer)}`),
  'no-choices': (visit) => visit.whole(JSON.stringify({ id: 'x', type: 'nothing', choices: [] })),
}

const bombs = new Map<boolean, Buffer>()

/** 64 MB of padding, compressed once because compression is slow. */
function bombOf(stream: boolean): Buffer {
  const padding = stream ? `: ${' '.repeat(1000)}\n\n` : ' '.repeat(1000)
  const bomb = bombs.get(stream) ?? gzipSync(padding.repeat(64 * 1024))
  bombs.set(stream, bomb)
  return bomb
}

const weatherCall = { name: 'look_up_the_weather', arguments: { place: 'Paris' } }

const finishFaults: Record<string, Fault> = {
  'finish-content-filter': (visit) => answering(visit, { finish: 'content-filter' }),
  'finish-refusal': (visit) => answering(visit, { finish: 'refusal' }),
  'finish-length': (visit) => answering(visit, { finish: 'length' }),
  'finish-pause': (visit) => answering(visit, { finish: 'pause' }),
  'finish-tool-calls': (visit) => answering(visit, { finish: 'tool-calls', words: [], toolCalls: [weatherCall] }),
  'finish-tool-calls-broken': (visit) =>
    answering(visit, { finish: 'tool-calls', words: [], toolCalls: [{ ...weatherCall, arguments: '{"place": "Par' }] }),
  'finish-tool-calls-many': (visit) =>
    answering(visit, { finish: 'tool-calls', words: [], toolCalls: Array.from({ length: 100 }, () => weatherCall) }),
  'empty-text': (visit) => answering(visit, { words: [] }),
  'usage-absent': (visit) => answering(visit, { usage: null }),
  'usage-absurd': (visit) => answering(visit, { usage: { input: 1e12, output: 1e12 } }),
  'usage-negative': (visit) => answering(visit, { usage: { input: -4, output: -4 } }),
  'echo-prompt': (visit) => visit.fail('400'),
  'echo-key': (visit) => visit.fail('401'),
}

function answering(visit: Visit, changes: Partial<Visit['answer']>): Promise<void> {
  visit.answer = { ...visit.answer, ...changes }
  return visit.ok()
}

/** Every behavior of the fake by name; `ok` is the default. */
export const faults: Record<string, Fault> = {
  ok: (visit) => visit.ok(),
  ...statusFaults,
  ...waitFaults,
  ...redirectFaults,
  ...connectionFaults,
  ...bodyFaults,
  ...finishFaults,
  ...streamFaults,
}
