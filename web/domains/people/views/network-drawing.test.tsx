import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { sampleDomainPeople } from '#contract/samples/sample-people.ts'
import { findCompanions } from '../companions.ts'
import { layOutNetwork, NetworkDrawing } from './network-drawing.tsx'

const measures = { size: 100, radius: 5, initialSize: 4, nameSize: 3, maxNameLetters: 2, maxLineWidth: 4 }
const companions = findCompanions(sampleDomainPeople.people, sampleDomainPeople.journeys)
const nodes = layOutNetwork(sampleDomainPeople.people, companions, measures.size)

function renderDrawing(highlightedId?: string): string {
  return renderToStaticMarkup(
    <NetworkDrawing
      network={{ nodes, companions }}
      measures={measures}
      highlightedId={highlightedId}
      onHighlight={() => undefined}
    />,
  )
}

test('the drawing has a circle with a short name per person and a line per pair', () => {
  const svg = renderDrawing()
  expect(nodes.length).toBeGreaterThan(2)
  expect(svg.match(/<circle/g)).toHaveLength(nodes.length)
  expect(svg.match(/<path/g)).toHaveLength(companions.length)
  const names = [...svg.matchAll(/>([^<>]+)<\/text>/g)].map(([, name = '']) => name)
  expect(names).toHaveLength(2 * nodes.length)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(measures.maxNameLetters)
})

test('only the lines of the highlighted person are opaque', () => {
  const [first] = nodes
  const linesOfFirst = companions.filter(({ firstId, secondId }) =>
    [firstId, secondId].includes(first?.person.id ?? ''),
  )
  const svg = renderDrawing(first?.person.id)
  expect(svg.match(/opacity="1"/g)).toHaveLength(linesOfFirst.length)
  expect(svg.match(/opacity="0.15"/g) ?? []).toHaveLength(companions.length - linesOfFirst.length)
})
