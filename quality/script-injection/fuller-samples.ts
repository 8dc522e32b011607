import { createFrameInput } from '../../tests/frame-input.ts'
import type { CallSample } from '../../tests/permission-matrix-table.ts'

type SampleBody = Record<string, unknown>
const createFrame = () => ({
  ...createFrameInput('media_card', { slug: `frame-${Math.random().toString(36).slice(2)}` }),
})
const addChange = (body: SampleBody) => {
  const newFrame = createFrame()
  return {
    ...body,
    change: { frames: [{ id: newFrame.id, before: null, after: newFrame }], config: null, order: null },
  }
}
const field = { key: 'tide', label: 'Tide', type: 'choice', required: false, help: 'x', options: ['High', 'Low'] }
const weather = { tempC: 3, condition: 'Frost', source: 'manual' }
const step = { title: 'Look', prompt: 'What is there?', contentTypeId: null, agentSlug: null, waitHours: null }
const form = { kind: 'content-type', label: 'Tides', description: 'x', category: 'x', fields: [field] }
const round = { kind: 'process', label: 'Round', description: 'x', category: 'x', steps: [step] }
const pattern = {
  name: 'Tides',
  description: 'x',
  sections: [{ key: 'tide', title: 'Tide', kind: 'text' }],
  captureFrom: ['moment'],
  promote: { minAgeHours: 1, needsHuman: true },
}

const bodyExpanders: Record<string, (body: SampleBody, number: number) => SampleBody> = {
  'engagementTemplates.create': (_, number) => (number % 2 ? round : form),
  'memoryPatterns.create': () => pattern,
  'memoryPatterns.update': () => pattern,
  'moments.update': (body) => ({ ...body, place: { name: 'The quay' }, weather }),
  'moments.create': (body) => ({ ...body, place: { name: 'The quay' }, weather }),
  'boards.save': (body) => ({ ...body, description: 'x', frames: [createFrame()] }),
  'boardLive.changes': addChange,
}

export function createFullSample(call: string, sample: CallSample, number: number): CallSample {
  const expandBody = bodyExpanders[call]
  return expandBody ? { ...sample, body: expandBody((sample.body ?? {}) as SampleBody, number) } : sample
}
