import type { Echo } from '#contract/keepers/echoes.ts'
import { dayMs } from '#web/ui/days.ts'

const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const samples = (): (Pick<Echo, 'message' | 'state'> & Partial<Echo>)[] => [
  {
    message: 'You said you would stay until the pears are in. Are they?',
    state: 'ready',
    triggerDate: inDays(-1),
    readyAt: inDays(-1),
    readyBecause: 'Due since yesterday.',
  },
  { message: '', sealed: true, state: 'pending', triggerDate: inDays(40) },
  {
    message: 'When you speak of the boat again: you were not afraid of it.',
    state: 'pending',
    triggerConditions: { topic: 'the boat' },
  },
  {
    message: 'The first winter here was longer than this one.',
    state: 'delivered',
    delivered: true,
    triggerDate: inDays(-60),
    deliveredAt: inDays(-58),
    readyAt: inDays(-60),
    readyBecause: 'Due on its date.',
  },
]

export const demoEchoes = (keeperId: string): Echo[] =>
  samples().map((sample, index) => ({
    id: `sample-echo-${index}`,
    keeperId,
    createdAt: inDays(-90 + index),
    updatedAt: inDays(-90 + index),
    rev: 1,
    agentId: 'demo-agent',
    sealed: false,
    triggerDate: null,
    triggerConditions: null,
    triggerTimezone: null,
    delivered: false,
    deliveredAt: null,
    readyAt: null,
    readyBecause: null,
    ...sample,
  }))
