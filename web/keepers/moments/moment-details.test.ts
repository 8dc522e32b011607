import { expect, it } from 'vitest'
import { listSetDetails, momentDetails } from './moment-details.ts'
import { createBlankMomentDraft } from './moment-draft.ts'

const draft = createBlankMomentDraft()

it('listSetDetails is empty for text and pictures alone', () => {
  expect(listSetDetails({ ...draft, body: 'The ferry was late.' })).toEqual([])
})

it('listSetDetails ignores a title and a place of blanks', () => {
  expect(listSetDetails({ ...draft, title: ' ', place: { name: ' ', lat: 1, lng: 2 } })).toEqual([])
})

it('listSetDetails lists set details in the order of the tools', () => {
  const place = { name: ' The quay ', lat: null, lng: null }
  const detailedDraft = { ...draft, aiVisible: false, title: 'Late', topics: ['Per', 'Bergen'], place }
  const details = listSetDetails(detailedDraft)
  expect(details).toEqual(['place', 'topics', 'title', 'ai'])
  expect(details.map((detail) => momentDetails[detail].format(detailedDraft))).toEqual([
    'The quay',
    'Per, Bergen',
    'Late',
    'Not for AI',
  ])
})
