import { expect, it } from 'vitest'
import { readRetryAfter } from './translate-failure.ts'

const now = Date.UTC(2026, 1, 7, 12, 0, 0)
const formatDateAfter = (seconds: number) => new Date(now + seconds * 1000).toUTCString()

it.each<[string, Record<string, string>, number | undefined]>([
  ['nothing', {}, undefined],
  ['seconds', { 'retry-after': '3' }, 3000],
  ['parts of a second', { 'retry-after': '0.5' }, 500],
  ['milliseconds, which count more than seconds', { 'retry-after-ms': '1700', 'retry-after': '9' }, 1700],
  ['a date', { 'retry-after': formatDateAfter(20) }, 20_000],
  [
    'a date from a provider whose clock is an hour slow',
    { 'retry-after': formatDateAfter(-3590), date: formatDateAfter(-3600) },
    10_000,
  ],
  [
    'a date from a provider whose clock is an hour fast',
    { 'retry-after': formatDateAfter(3610), date: formatDateAfter(3600) },
    10_000,
  ],
  [
    'a date next to a nonsense clock',
    { 'retry-after': formatDateAfter(20), date: 'Thu, 01 Jan 1970 00:00:00 GMT' },
    20_000,
  ],
  ['a date in the past', { 'retry-after': formatDateAfter(-20) }, undefined],
  ['a negative number', { 'retry-after': '-5' }, undefined],
  ['text', { 'retry-after': 'abc' }, undefined],
  ['an empty text', { 'retry-after': '' }, undefined],
  ['infinity', { 'retry-after': 'Infinity' }, undefined],
  ['a garbled header next to a valid one', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
  ["Together's reset in seconds", { 'x-ratelimit-reset': '4' }, 4000],
  ["ElevenLabs' reset as a moment", { 'x-ratelimit-reset': String(now / 1000 + 6) }, 6000],
  ['a reset in the past', { 'x-ratelimit-reset': String(now / 1000 - 6) }, undefined],
  ["Anthropic's reset, which is no wait", { 'x-ratelimit-reset': '2026-02-07T14:39:10Z' }, undefined],
])('reads %s', (_, headers, expected) => {
  expect(readRetryAfter(new Headers(headers), now)).toBe(expected)
})
