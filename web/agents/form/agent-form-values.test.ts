import { expect, test } from 'vitest'
import { toAgentValues } from '../classes/class-values.ts'
import { toProposalValues } from '../studio/intent-console.tsx'
import { toNewAgentValues } from './agent-form-values.ts'

const entry = { base: 'Standard', system: true, slug: 'standard' } as Parameters<typeof toAgentValues>[0]
const proposal = { name: 'Week Reader', purpose: 'Reads the week.' }

test('values without a model wait for the provider’s default', () => {
  expect(toNewAgentValues({}).awaits_default_model).toBe(true)
  expect(toProposalValues(proposal).awaits_default_model).toBe(true)
  expect(toAgentValues({ ...entry, defaults: { model_provider: 'openai' } }).awaits_default_model).toBe(true)
})

test('a model from a proposal or a class is not replaced by the default', () => {
  const { model } = toNewAgentValues({})
  expect(toProposalValues({ ...proposal, model }).awaits_default_model).toBe(false)
  expect(toAgentValues({ ...entry, defaults: { model_settings: { model } } }).awaits_default_model).toBe(false)
  expect(toAgentValues({ ...entry, system: false, defaults: {} }).awaits_default_model).toBe(false)
})
