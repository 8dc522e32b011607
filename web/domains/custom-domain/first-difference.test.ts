import { expect, it } from 'vitest'
import { comparable, firstDifference } from './first-difference.ts'

it('finds no difference between alike texts', () => {
  expect(firstDifference('edge.example.org', 'edge.example.org')).toBeUndefined()
  expect(firstDifference('', '')).toBeUndefined()
})

it('names the first character that differs, found and wanted', () => {
  expect(firstDifference('keeper-x=1', 'keeper-d=1')).toEqual({
    same: 'keeper-',
    character: 'x',
    rest: '=1',
    inWords: 'differs at character 8: found x, wanted d',
  })
  expect(firstDifference('203.0.113.9', '203.0.113.42')?.inWords).toBe('differs at character 11: found 9, wanted 4')
})

it('says where a value ends too early, and where it goes on too long', () => {
  expect(firstDifference('edge', 'edge.org')).toMatchObject({
    same: 'edge',
    character: '',
    inWords: 'differs at character 5: found the end, wanted .',
  })
  expect(firstDifference('edge.org ', 'edge.org')?.inWords).toBe(
    'differs at character 9: found a space, wanted the end',
  )
})

it('counts characters as people do', () => {
  expect(firstDifference('a🙂b', 'a🙂c')?.inWords).toBe('differs at character 3: found b, wanted c')
})

it('compares names as name servers do, and texts to the letter', () => {
  expect(comparable('CNAME', 'Edge.Example.org.')).toBe('edge.example.org')
  expect(comparable('TXT', ' Abc. ')).toBe('Abc.')
})
