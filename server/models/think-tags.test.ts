import { describe, expect, it } from 'vitest'
import { ThinkTags } from './think-tags.ts'

function readInChunks(text: string, chunkLength: number) {
  const tags = new ThinkTags()
  const parts = []
  for (let index = 0; index < text.length; index += chunkLength)
    parts.push(tags.push(text.slice(index, index + chunkLength)))
  parts.push(tags.end())
  return { text: parts.map((part) => part.text).join(''), reasoning: parts.map((part) => part.reasoning).join('') }
}

describe.each([1, 2, 5, 7, 1000])('in chunks of %i characters', (chunkLength) => {
  it.each([
    ['<think>\nThe user greets me.\n</think>\n\nGood morning.', 'Good morning.', '\nThe user greets me.\n'],
    ['\n <thinking>Hm.</thinking>Good morning.', 'Good morning.', 'Hm.'],
    ['<think></think>Good morning.', 'Good morning.', ''],
    ['<think>a < b and </thi nothing</think>Yes.', 'Yes.', 'a < b and </thi nothing'],
    ['Good <think>morning</think>.', 'Good <think>morning</think>.', ''],
    ['<thin ice> is no tag.', '<thin ice> is no tag.', ''],
    ['  Good morning.', '  Good morning.', ''],
    ['<think>All of it is thinking.', '', 'All of it is thinking.'],
    ['<', '<', ''],
    ['', '', ''],
  ])('%j', (whole, text, reasoning) => {
    expect(readInChunks(whole, chunkLength)).toEqual({ text, reasoning })
  })
})

it('no part of an incomplete tag is emitted as text', () => {
  const tags = new ThinkTags()
  const texts = [...'<think>I greet.</think>Hello'].map((character) => tags.push(character).text)
  expect(texts.join('')).toBe('Hello')
  expect(texts.filter((text) => text.includes('<'))).toEqual([])
})

it('a long run of blanks is read in linear time', () => {
  const tags = new ThinkTags()
  let text = ''
  for (let index = 0; index < 20_000; index++) text += tags.push(' ').text
  expect(text.length).toBeGreaterThan(19_000)
})
