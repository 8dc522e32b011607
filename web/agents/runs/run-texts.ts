import type { KeySource, RunOrigin, RunStatus } from '#contract/agents/runs.ts'

/** In place of text that is private to someone else. */
export const hiddenText = 'Visible only to the person who started this run.'

export const originLabels: Record<RunOrigin, string> = {
  run: 'Run',
  trial: 'Try it, before saving',
  chat: 'Chat',
  golden: 'Golden question',
  intent: 'Intent Console',
  extraction: 'Extraction',
  'sole-draft': 'SOLE draft',
  'sole-explanation': 'SOLE explanation',
  'board-assist': 'Board assist',
  diagnostics: 'Diagnostics',
}

export function getKeyText(
  { key_source: source, attempts }: { key_source: KeySource; attempts: number },
  isOwnRun: boolean,
): string {
  if (source === 'personal') return isOwnRun ? 'Your own key' : 'Their own key'
  if (source === 'platform') return 'Platform key'
  if (source === 'mock') return 'No key, so a mock answer'
  return attempts === 0 ? 'No key, mock answer' : 'No key needed (local server)'
}

export function getRunFailureText(status: RunStatus, reason: string | null | undefined): string {
  if (status === 'stopped') return 'Stopped. The text so far is kept.'
  if (status === 'interrupted') return reason || 'This run was cut off. The text so far is kept.'
  return reason || 'Agent execution failed'
}

/** '812 ms', '6.42 s', '2 min 05 s'. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '–'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** '$0.031': two significant digits. */
export function formatRunCost(dollars: number | null | undefined): string {
  if (dollars === null || dollars === undefined) return '–'
  if (dollars === 0) return '$0'
  const digits = dollars >= 1 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(dollars)))
  return `$${dollars.toFixed(digits)}`
}
