import { expect, it } from 'vitest'
import { findFirstDifference, type TextDifference, toComparable } from './dns-report.tsx'

it('equal texts have no difference', () => {
  expect(findFirstDifference('edge.example.org', 'edge.example.org')).toBeUndefined()
  expect(findFirstDifference('', '')).toBeUndefined()
})

it('the first differing character is described, found and expected', () => {
  expect(findFirstDifference('keeper-x=1', 'keeper-d=1')).toEqual<TextDifference>({
    commonPrefix: 'keeper-',
    character: 'x',
    remainder: '=1',
    description: 'differs at character 8: found x, expected d',
  })
  expect(findFirstDifference('203.0.113.9', '203.0.113.42')?.description).toBe(
    'differs at character 11: found 9, expected 4',
  )
})

it('values that are too short or too long are reported', () => {
  expect(findFirstDifference('edge', 'edge.org')).toMatchObject<Partial<TextDifference>>({
    commonPrefix: 'edge',
    character: '',
    description: 'differs at character 5: found the end, expected .',
  })
  expect(findFirstDifference('edge.org ', 'edge.org')?.description).toBe(
    'differs at character 9: found a space, expected the end',
  )
})

it('an emoji counts as one character', () => {
  expect(findFirstDifference('a🙂b', 'a🙂c')?.description).toBe('differs at character 3: found b, expected c')
})

it('names are compared like name servers do, TXT values exactly except for outer spaces', () => {
  expect(toComparable('CNAME', 'Edge.Example.org.')).toBe('edge.example.org')
  expect(toComparable('TXT', ' Abc. ')).toBe('Abc.')
})
