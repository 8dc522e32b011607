import type { Echo } from '#contract/keepers/echoes.ts'
import { dayMs } from '#web/ui/days.ts'

const getInstantInDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

const createSampleEchoes = (): (Pick<Echo, 'message' | 'state'> & Partial<Echo>)[] => [
  {
    message: 'You said you would stay until the pears are in. Are they?',
    state: 'ready',
    triggerDate: getInstantInDays(-1),
    readyAt: getInstantInDays(-1),
    readyBecause: 'Due since yesterday.',
  },
  { message: '', sealed: true, state: 'pending', triggerDate: getInstantInDays(40) },
  {
    message: 'When you speak of the boat again: you were not afraid of it.',
    state: 'pending',
    triggerConditions: { topic: 'the boat' },
  },
  {
    message: 'The first winter here was longer than this one.',
    state: 'delivered',
    delivered: true,
    triggerDate: getInstantInDays(-60),
    deliveredAt: getInstantInDays(-58),
    readyAt: getInstantInDays(-60),
    readyBecause: 'Due on its date.',
  },
]

export const createDemoEchoes = (keeperId: string): Echo[] =>
  createSampleEchoes().map((sample, index) => ({
    id: `sample-echo-${index}`,
    keeperId,
    createdAt: getInstantInDays(-90 + index),
    updatedAt: getInstantInDays(-90 + index),
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
