import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { writeSetting } from '#web/offline/browser-memory.ts'
import { ReservedHeight } from './reserved-height.tsx'

afterEach(() => writeSetting('keeper-heights', null))

const renderAt = (address: string) =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[address]}>
      <Routes>
        <Route path="/keeper/:id" element={<ReservedHeight name="ready" isLoading initialClassName="h-8" />} />
      </Routes>
    </MemoryRouter>,
  )

test('a keeper reserves the height of its own content', () => {
  writeSetting('keeper-heights', JSON.stringify([['ready harbour', 120]]))
  expect(renderAt('/keeper/harbour')).toBe('<div style="min-height:120px"></div>')
  expect(renderAt('/keeper/garden')).toBe('<div class="h-8"></div>')
})

test.each(['{}', '[[1, 2], ["ready harbour", "tall"]]', 'no JSON'])(
  'a stored value that isn’t a list of heights reserves nothing: %s',
  (stored) => {
    writeSetting('keeper-heights', stored)
    expect(renderAt('/keeper/harbour')).toBe('<div class="h-8"></div>')
  },
)
