import { expect, it } from 'vitest'
import { readAgentFile } from './import-dialog.tsx'

const agent = { name: 'Lamp', purpose: 'Lights.' }
const readContent = (content: unknown) =>
  readAgentFile(new Blob([typeof content === 'string' ? content : JSON.stringify(content)]))

it('a file with a name and a purpose is accepted and sent unmodified', async () => {
  const content = { keeper: 'agent', format: 1, agent: { ...agent, context_scope: 'general', later: true } }
  expect(await readContent(content)).toEqual({
    file: { keeper: 'agent', format: 1, agent: { ...agent, context_scope: '' }, golden_questions: [] },
    originalContent: content,
  })
})

it.each([
  ['', /is empty/],
  ['half a {', /can’t be read as JSON/],
  ['[]', /an agent exported from Keeper/],
  [{ keeper: 'board', format: 1, agent }, /an agent exported from Keeper/],
  [{ keeper: 'agent', format: 2, agent }, /newer version of Keeper/],
  [{ keeper: 'agent', format: 1, agent: { name: 'Lamp' } }, /agent\.purpose/],
  ['x'.repeat(1_000_001), /too large/],
])('the content %j is rejected with a reason', async (content, problem) => {
  expect(await readContent(content)).toEqual({ problem: expect.stringMatching(problem) })
})
