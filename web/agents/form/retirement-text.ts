import type { ModelDetails } from '#contract/agents/models.ts'

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** 'Shut down', 'Shuts down Jan 14, 2027', 'Deprecated'; undefined for available models. */
export function getRetirementText({
  status,
  shutdown_date,
}: Pick<ModelDetails, 'status' | 'shutdown_date'>): string | undefined {
  if (status === 'available') return undefined
  if (status === 'shut-down') return 'Shut down'
  return shutdown_date ? `Shuts down ${dayFormat.format(new Date(shutdown_date))}` : 'Deprecated'
}
