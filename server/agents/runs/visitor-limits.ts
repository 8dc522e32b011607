import { completeSettings, type ModelSettings } from '#contract/agents/model-settings.ts'
import { badField, Problem } from '#server/http/problem.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Visitor } from '#server/http/visitor.ts'
import type { Services } from '#server/services.ts'
import { dayMs, minuteMs } from '#server/values/time-units.ts'
import type { AgentRow } from '../agent-view.ts'

const visitorLimits = {
  maxInputLength: 4000,
  maxTokens: 1000,
  maxRetries: 1,
  runsPerAddressPerMinute: 20,
  concurrentRunsPerAgent: 20,
}

export function getVisitorSettings(agent: AgentRow): ModelSettings {
  const { model_settings: settings } = agent
  return completeSettings(agent.model_provider, {
    ...settings,
    max_tokens: Math.min(settings.max_tokens ?? visitorLimits.maxTokens, visitorLimits.maxTokens),
    retry: { ...settings.retry, max_retries: Math.min(settings.retry.max_retries, visitorLimits.maxRetries) },
  })
}

export function refuseLongInput(input: string): void {
  if (input.length > visitorLimits.maxInputLength)
    throw badField(
      'input',
      `Use at most ${visitorLimits.maxInputLength.toLocaleString('en-US')} characters, or sign in.`,
    )
}

export function refuseTooManyRuns(services: Services, agent: AgentRow, runsInOtherProcesses: number): void {
  if (services.runs.countVisitorRuns(agent.id) + runsInOtherProcesses < visitorLimits.concurrentRunsPerAgent) return
  throw new Problem('too-many', {
    message: `Many people are asking ${agent.name} right now. Try again in a moment.`,
    retryAfterSeconds: 5,
  })
}

/** Counts runs rather than money, because a local model costs nothing but still uses someone's machine. */
export async function countVisitorRun(services: Services, agent: AgentRow): Promise<void> {
  const limit = services.settings.limits.visitorRunsPerAgentPerDay
  const message = `${agent.name} has reached its daily limit for visitors. Try again tomorrow.`
  await requireAttempt(services, { kind: 'visitors-of-agent-day', limit, windowMs: dayMs }, agent.id, message)
}

export async function limitVisitor(services: Services, visitor: Visitor, action: 'run' | 'session'): Promise<void> {
  const { limits } = services.settings
  const prefix = action === 'run' ? 'visitor' : 'visitor-session'
  const maxPerAddress = Math.max(visitorLimits.runsPerAddressPerMinute, limits.visitorRunsPerMinute)
  for (const [kind, subject, limit, windowMs] of [
    [`${prefix}-minute`, visitor.id, limits.visitorRunsPerMinute, minuteMs],
    [`${prefix}-day`, visitor.id, limits.visitorRunsPerDay, dayMs],
    // Also by address, because a visitor can discard the cookie.
    [`${prefix}-address-minute`, visitor.address, maxPerAddress, minuteMs],
  ] as const) {
    const message = 'Too many requests in a short time. Wait a moment, or sign in to continue.'
    await requireAttempt(services, { kind, limit, windowMs }, subject, message)
  }
}
