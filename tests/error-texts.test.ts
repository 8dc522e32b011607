import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { errorTextCatalog, scenes } from './journeys/error-texts/catalog.ts'

const texts = Object.values(errorTextCatalog).flatMap((section) => Object.entries(section))
const provoked = scenes.flatMap((scene) => scene.texts.map(({ text }) => text))

function readSource(file: string): string {
  const folder = file.includes('/') ? '..' : 'journeys'
  return readFileSync(resolve(import.meta.dirname, folder, file), 'utf8')
}

/** The parts of a text between its placeholders, without the location in parentheses. */
const getFixedParts = (text: string) =>
  text
    .replace(/ \([^)]*\)$/, '')
    .split(/\{\w+\}/)
    .filter((part) => part.trim() !== '')

it('every text marked "scene" is provoked in exactly one scene', () => {
  const expectedTexts = texts.filter(([, proof]) => proof === 'scene').map(([text]) => text)
  expect(provoked.toSorted()).toEqual(expectedTexts.toSorted())
})

it.each(
  texts.flatMap(([text, proof]) => (typeof proof === 'object' && 'testedIn' in proof ? [[text, proof.testedIn]] : [])),
)('"%s" is checked in %s', (text, file) => {
  const source = readSource(file ?? '')
  for (const part of getFixedParts(text ?? '')) expect(source).toContain(part)
})

it('every replaced text gives a reason', () => {
  const reasons = texts.flatMap(([, proof]) =>
    typeof proof === 'object' && 'replaced' in proof ? [proof.replaced] : [],
  )
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
})
