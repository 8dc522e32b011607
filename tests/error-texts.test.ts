import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { catalogue, scenes } from './journeys/error-texts/catalogue.ts'

const texts = Object.values(catalogue).flatMap((section) => Object.entries(section))
const provoked = scenes.flatMap((scene) => scene.texts.map(({ text }) => text))

function sourceOf(file: string): string {
  const folder = file.includes('/') ? '..' : 'journeys'
  return readFileSync(resolve(import.meta.dirname, folder, file), 'utf8')
}

/** The parts of a text that stand in it as they are: without what is filled in, and without where it is. */
const fixedParts = (text: string) =>
  text
    .replace(/ \([^)]*\)$/, '')
    .split(/\{\w+\}/)
    .filter((part) => part.trim() !== '')

it('every text that a catalogue says is seen in these scenes is provoked in one of them, once, and no other is', () => {
  const here = texts.filter(([, proof]) => proof === 'here').map(([text]) => text)
  expect(provoked.toSorted()).toEqual(here.toSorted())
})

it.each(
  texts.flatMap(([text, proof]) => (typeof proof === 'object' && 'seenIn' in proof ? [[text, proof.seenIn]] : [])),
)('"%s" is really looked for in %s', (text, file) => {
  const source = sourceOf(file ?? '')
  for (const part of fixedParts(text ?? '')) expect(source).toContain(part)
})

it('what is said in other words says why', () => {
  const reasons = texts.flatMap(([, proof]) =>
    typeof proof === 'object' && 'replaced' in proof ? [proof.replaced] : [],
  )
  expect(reasons.length).toBeGreaterThan(0)
  for (const reason of reasons) expect(reason).toMatch(/^[A-Z].{20,}\.$/)
})
