import { expect, it, vi } from 'vitest'
import { sectionLists } from './pattern-sections.tsx'

it('section items show plain text, and a name for a picture without text', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const fetchTexts = async (list: keyof typeof sectionLists, data: unknown) => {
    vi.stubGlobal('fetch', async () => Response.json({ success: true, data }))
    return (await sectionLists[list].fetchItems('k', new AbortController().signal)).map(({ text }) => text)
  }
  const moment = { id: 'm', localDate: '2026-11-20', title: null, body: '' }
  expect(await fetchTexts('timeline', { items: [{ ...moment, body: '**Per** came' }, moment] })).toEqual([
    'Per came',
    'A moment without text',
  ])
  const written = { id: 'r', topic: 'Per', content: '# At _last_', createdAt: '2026-11-20T10:00:00Z' }
  expect(await fetchTexts('list', [written])).toEqual(['At last'])
  expect(await fetchTexts('text', [written])).toEqual(['At last'])
})
