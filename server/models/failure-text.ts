import type { ModelFailureCode } from './model-failure.ts'

const messages: Record<ModelFailureCode, (provider: string) => string> = {
  'provider-unreachable': (provider) => `${provider} could not be reached. Check the network and try again.`,
  'provider-timeout': (provider) => `${provider} took too long to answer. Try again, or ask for a shorter answer.`,
  'provider-busy': (provider) => `${provider} is busy right now. Try again in a moment.`,
  'provider-quota': (provider) =>
    `The ${provider} account behind this key is out of credit or has reached its spending limit. Add credit there, or use another key.`,
  'provider-failed': (provider) => `${provider} had an internal error. Try again in a moment.`,
  'key-rejected': (provider) => `${provider} did not accept the key. Check it, or save a new one.`,
  'model-not-found': (provider) => `${provider} doesn’t offer this model for this key. Choose another model.`,
  'provider-not-found': (provider) =>
    `There is no ${provider} API at this address. Check the base address: it usually ends in /v1.`,
  'request-too-large': (provider) =>
    `The request is larger than ${provider} accepts. Shorten the text or lower max tokens.`,
  'context-too-long': (provider) =>
    `The text and max tokens together are longer than this ${provider} model can read. Shorten the text, lower max tokens, or choose another model.`,
  'content-filter': (provider) => `${provider} declined this text because of its content rules. Try rephrasing it.`,
  'provider-refused': (provider) => `${provider} refused the request. Check the agent’s model and settings.`,
  'voice-missing': () =>
    'This agent has no voice to speak with. Choose one in its form, under Voice (config.voice_id).',
  'provider-protocol': (provider) =>
    `${provider} sent an answer that Keeper can’t read. Try again; if it keeps happening, check the provider’s address.`,
  interrupted: (provider) => `${provider} stopped in the middle of the answer. The text so far is saved.`,
  stopped: () => 'The run was stopped.',
}

const formatForbidden = (provider: string) =>
  `${provider} doesn’t let this key do that. Check the key’s permissions there, or use another key.`

const temporaryCodes: ModelFailureCode[] = [
  'provider-busy',
  'provider-failed',
  'provider-timeout',
  'provider-unreachable',
]

export interface Timeout {
  name: string
  setting: string
  ms: number
}

export function formatFailure(
  code: ModelFailureCode,
  provider: string,
  {
    status,
    retryAfterMs,
    quote,
    timeout,
  }: { status?: number; retryAfterMs?: number; quote?: string; timeout?: Timeout | undefined } = {},
): string {
  if (timeout)
    return `${provider} took too long to answer: its ${timeout.name} of ${formatDuration(timeout.ms)} expired. Try again, or ask your administrator to raise ${timeout.setting}.`
  let text = code === 'key-rejected' && status === 403 ? formatForbidden(provider) : messages[code](provider)
  if (retryAfterMs && temporaryCodes.includes(code))
    text = `${getFirstSentence(text)} Please try again in ${formatDuration(retryAfterMs)}.`
  return quote ? `${text} ${provider} said: “${quote}”` : text
}

function getFirstSentence(text: string): string {
  return text.slice(0, text.indexOf('. ') + 1) || text
}

function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 120) return pluralize(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? pluralize(minutes, 'minute') : pluralize(Math.ceil(minutes / 60), 'hour')
}

function pluralize(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
