import { expect, it } from 'vitest'
import { isSameFact, toComparableWords } from './same-fact.ts'

it.each([
  ['Ada has a sister who lives in Bergen.', 'Ada’s sister lives in Bergen', true],
  ['She plays the cello every Sunday.', 'Plays cello on Sundays', true],
  ['Ada’s sister lives in Bergen.', 'Ada’s sister does not live in Bergen.', false],
  ['Born in 1990 in Kiel.', 'Born in 1991 in Kiel.', false],
  ['Likes tea.', 'Likes coffee.', false],
  ['Trinkt keinen Kaffee.', 'Trinkt Kaffee.', false],
  ['彼女は京都に住んでいます。', '彼女は京都に住んでいます', true],
  ['earns bank', 'Ada earns ninety thousand euros a year at the bank.', false],
  ['Ada is allergic to peanuts.', 'sister allergic peanuts works doctor coffee tea cat dog daughter moved ada', false],
  ['', '', false],
])('compares %j and %j: %j', (one, other, expected) => {
  expect(isSameFact(toComparableWords(one), toComparableWords(other))).toBe(expected)
})
