import type { Fault } from './faults.ts'
import type { ProviderExchange } from './provider-exchange.ts'
import type { ErrorName } from './provider-format.ts'

const midway = 3
const finishPattern = /"(?:finish|stop)_reason":"|"message_stop"|\[DONE\]/

/** Faults that only a stream can have. Without streaming, these answer normally. */
export const streamFaults: Record<string, Fault> = {
  'cut-before-text': cutAfter((exchange) => exchange.getEventsUpTo(0)),
  'cut-mid': cutAfter((exchange) => exchange.getEventsUpTo(midway)),
  'cut-mid-event': cutAfter((exchange) => [
    ...exchange.getEventsUpTo(midway),
    exchange.format.formatToken('never whole', exchange.answer).slice(0, -14),
  ]),
  'cut-after-text': cutAfter((exchange) => exchange.getEventsUpTo(exchange.answer.tokens.length)),
  'end-before-text': streamEvents((exchange) => exchange.getEventsUpTo(0)),
  'end-mid': streamEvents((exchange) => exchange.getEventsUpTo(midway)),
  'end-without-mark': streamEvents((exchange) => exchange.events.slice(0, -1)),
  'end-before-finish': streamEvents((exchange) => exchange.events.filter((event) => !finishPattern.test(event))),
  'error-first': streamEvents((exchange) => [...exchange.getEventsUpTo(0), formatErrorEvent(exchange, '529')]),
  'error-only': streamEvents((exchange) => [formatErrorEvent(exchange, '503')]),
  'error-first-quota': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(0),
    formatErrorEvent(exchange, '429-quota'),
  ]),
  'error-first-key': streamEvents((exchange) => [formatErrorEvent(exchange, '401')]),
  'error-mid': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(midway),
    formatErrorEvent(exchange, '529'),
    ...exchange.events.slice(-3),
  ]),
  'silent-mid': hangAfterStream((exchange) => exchange.getEventsUpTo(midway)),
  'two-ends': streamEvents((exchange) => [...exchange.events, exchange.format.endMark]),
  'data-after-end': streamEvents((exchange) => [
    ...exchange.events,
    exchange.format.formatToken(' after the end', exchange.answer),
    formatErrorEvent(exchange, '500'),
  ]),
  'open-after-end': hangAfterStream((exchange) => exchange.events),
  'malformed-first': streamEvents((exchange) => ['data: {"choices": [{"delta": {"content": \n\n', ...exchange.events]),
  'malformed-mid': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(midway),
    'data: {"choices": [{"delta": {"content": \n\n',
    ...exchange.events.slice(-2),
  ]),
  'big-event': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(0),
    exchange.format.formatToken('x'.repeat(1_500_000), exchange.answer),
    ...exchange.events.slice(-2),
  ]),
  'big-event-mid': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(midway),
    exchange.format.formatToken('x'.repeat(1_500_000), exchange.answer),
  ]),
  'pings-only': pingAfterStream((exchange) => exchange.getEventsUpTo(0)),
  'pings-mid': pingAfterStream((exchange) => exchange.getEventsUpTo(midway)),
  'split-utf8': async (exchange) => {
    if (!exchange.isStreamed) return exchange.ok()
    exchange.writeHead()
    for (const byte of Buffer.from(exchange.events.join(''))) await exchange.write(Uint8Array.of(byte))
    exchange.end()
  },
  crlf: rewriteStream((text) => text.replaceAll('\n', '\r\n')),
  cr: rewriteStream((text) => text.replaceAll('\n', '\r')),
  comments: rewriteStream((text) => `: hello\n${text.replaceAll('\n\n', '\n: in between\n\n: keep-alive\n\n')}`),
  'multi-line-data': rewriteStream((text) => text.replaceAll(/^data: \{/gm, 'data: {\ndata: ')),
  'missing-blank-line': rewriteStream((text) => text.replaceAll('\n\n', '\n')),
  'no-space-after-colon': rewriteStream((text) => text.replaceAll(/^(data|event): /gm, '$1:')),
  'unknown-fields': rewriteStream((text) => text.replaceAll(/^data:/gm, 'id: 7\nretry: 10\nmood: fine\ndata:')),
  'unknown-events': streamEvents((exchange) =>
    exchange.events.flatMap((event) => [exchange.format.unknownEvent, event]),
  ),
  'hollow-events': streamEvents((exchange) => [
    ...exchange.getEventsUpTo(1),
    ...exchange.format.emptyEvents,
    ...exchange.events.slice(exchange.getEventsUpTo(1).length),
  ]),
}

function formatErrorEvent({ format, answer }: ProviderExchange, name: ErrorName): string {
  return format.formatErrorEvent({ name, key: 'sk-in-stream-0123456789abcdef', prompt: '', model: answer.model })
}

function streamEvents(events: (exchange: ProviderExchange) => string[]): Fault {
  return (exchange) => (exchange.isStreamed ? exchange.sendStream(events(exchange)) : exchange.ok())
}

function cutAfter(events: (exchange: ProviderExchange) => string[]): Fault {
  return async (exchange) => {
    if (!exchange.isStreamed) return exchange.ok()
    exchange.writeHead()
    await exchange.writeEvents(events(exchange))
    // Lets the written bytes arrive before the connection breaks.
    await exchange.pause(10)
    exchange.cut()
  }
}

/** Sends events, then keeps the connection open silently. */
function hangAfterStream(events: (exchange: ProviderExchange) => string[]): Fault {
  return async (exchange) => {
    if (!exchange.isStreamed) return exchange.ok()
    exchange.writeHead()
    await exchange.writeEvents(events(exchange))
    await exchange.waitUntilClosed()
  }
}

function pingAfterStream(events: (exchange: ProviderExchange) => string[]): Fault {
  return async (exchange) => {
    if (!exchange.isStreamed) return exchange.ok()
    exchange.writeHead()
    await exchange.writeEvents(events(exchange))
    while (!exchange.isClosed) {
      await exchange.write(exchange.format.ping)
      await exchange.pause(exchange.slowMs)
    }
  }
}

function rewriteStream(rewrite: (text: string) => string): Fault {
  return async (exchange) => {
    if (!exchange.isStreamed) return exchange.ok()
    exchange.writeHead()
    exchange.end(rewrite(exchange.events.join('')))
  }
}
