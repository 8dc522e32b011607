import type { Fault } from './faults.ts'
import type { ErrorName } from './speech.ts'
import type { Visit } from './visit.ts'

const midway = 3
const saysTheEnd = /"(?:finish|stop)_reason":"|"message_stop"|\[DONE\]/

/** Faults that only a stream can have. Without streaming, these answer normally. */
export const streamFaults: Record<string, Fault> = {
  'cut-before-text': cutAfter((visit) => visit.eventsUpTo(0)),
  'cut-mid': cutAfter((visit) => visit.eventsUpTo(midway)),
  'cut-mid-event': cutAfter((visit) => [
    ...visit.eventsUpTo(midway),
    visit.speech.word('never whole', visit.answer).slice(0, -14),
  ]),
  'cut-after-text': cutAfter((visit) => visit.eventsUpTo(visit.answer.words.length)),
  'end-before-text': streaming((visit) => visit.eventsUpTo(0)),
  'end-mid': streaming((visit) => visit.eventsUpTo(midway)),
  'end-without-mark': streaming((visit) => visit.events.slice(0, -1)),
  'end-before-finish': streaming((visit) => visit.events.filter((event) => !saysTheEnd.test(event))),
  'error-first': streaming((visit) => [...visit.eventsUpTo(0), errorEvent(visit, '529')]),
  'error-only': streaming((visit) => [errorEvent(visit, '503')]),
  'error-first-quota': streaming((visit) => [...visit.eventsUpTo(0), errorEvent(visit, '429-quota')]),
  'error-first-key': streaming((visit) => [errorEvent(visit, '401')]),
  'error-mid': streaming((visit) => [...visit.eventsUpTo(midway), errorEvent(visit, '529'), ...visit.events.slice(-3)]),
  'silent-mid': held((visit) => visit.eventsUpTo(midway)),
  'two-ends': streaming((visit) => [...visit.events, visit.speech.endMark]),
  'data-after-end': streaming((visit) => [
    ...visit.events,
    visit.speech.word(' after the end', visit.answer),
    errorEvent(visit, '500'),
  ]),
  'open-after-end': held((visit) => visit.events),
  'malformed-first': streaming((visit) => ['data: {"choices": [{"delta": {"content": \n\n', ...visit.events]),
  'malformed-mid': streaming((visit) => [
    ...visit.eventsUpTo(midway),
    'data: {"choices": [{"delta": {"content": \n\n',
    ...visit.events.slice(-2),
  ]),
  'big-event': streaming((visit) => [
    ...visit.eventsUpTo(0),
    visit.speech.word('x'.repeat(1_500_000), visit.answer),
    ...visit.events.slice(-2),
  ]),
  'big-event-mid': streaming((visit) => [
    ...visit.eventsUpTo(midway),
    visit.speech.word('x'.repeat(1_500_000), visit.answer),
  ]),
  'pings-only': pinging((visit) => visit.eventsUpTo(0)),
  'pings-mid': pinging((visit) => visit.eventsUpTo(midway)),
  'split-utf8': async (visit) => {
    if (!visit.stream) return visit.ok()
    visit.head()
    for (const byte of Buffer.from(visit.events.join(''))) await visit.write(Uint8Array.of(byte))
    visit.end()
  },
  crlf: rewritten((text) => text.replaceAll('\n', '\r\n')),
  cr: rewritten((text) => text.replaceAll('\n', '\r')),
  comments: rewritten((text) => `: hello\n${text.replaceAll('\n\n', '\n: in between\n\n: keep-alive\n\n')}`),
  'multi-line-data': rewritten((text) => text.replaceAll(/^data: \{/gm, 'data: {\ndata: ')),
  'missing-blank-line': rewritten((text) => text.replaceAll('\n\n', '\n')),
  'no-space-after-colon': rewritten((text) => text.replaceAll(/^(data|event): /gm, '$1:')),
  'unknown-fields': rewritten((text) => text.replaceAll(/^data:/gm, 'id: 7\nretry: 10\nmood: fine\ndata:')),
  'unknown-events': streaming((visit) => visit.events.flatMap((event) => [visit.speech.unknownEvent, event])),
  'hollow-events': streaming((visit) => [
    ...visit.eventsUpTo(1),
    ...visit.speech.hollowEvents,
    ...visit.events.slice(visit.eventsUpTo(1).length),
  ]),
}

function errorEvent({ speech, answer }: Visit, name: ErrorName): string {
  return speech.errorEvent({ name, key: 'sk-in-stream-0123456789abcdef', prompt: '', model: answer.model })
}

function streaming(events: (visit: Visit) => string[]): Fault {
  return (visit) => (visit.stream ? visit.streamed(events(visit)) : visit.ok())
}

function cutAfter(events: (visit: Visit) => string[]): Fault {
  return async (visit) => {
    if (!visit.stream) return visit.ok()
    visit.head()
    await visit.writeEvents(events(visit))
    // Lets the written bytes arrive before the connection breaks.
    await visit.pause(10)
    visit.cut()
  }
}

/** Sends events, then keeps the connection open silently. */
function held(events: (visit: Visit) => string[]): Fault {
  return async (visit) => {
    if (!visit.stream) return visit.ok()
    visit.head()
    await visit.writeEvents(events(visit))
    await visit.untilClosed()
  }
}

function pinging(events: (visit: Visit) => string[]): Fault {
  return async (visit) => {
    if (!visit.stream) return visit.ok()
    visit.head()
    await visit.writeEvents(events(visit))
    while (!visit.closed) {
      await visit.write(visit.speech.ping)
      await visit.pause(visit.slowMs)
    }
  }
}

function rewritten(rewrite: (text: string) => string): Fault {
  return async (visit) => {
    if (!visit.stream) return visit.ok()
    visit.head()
    visit.end(rewrite(visit.events.join('')))
  }
}
