import { type Pigment, pigments } from '#contract/keepers/journeys.ts'

const pigmentLabels: Record<Pigment, string> = {
  'iron-gall': 'Iron gall',
  ochre: 'Ochre',
  verdigris: 'Verdigris',
  madder: 'Madder',
  mauve: 'Mauve',
}

export const pigmentOptions = pigments.map((value) => ({ value, label: pigmentLabels[value] }))

const pigmentFills: Record<Pigment, string> = {
  'iron-gall': 'bg-chart1',
  ochre: 'bg-chart2',
  verdigris: 'bg-chart3',
  madder: 'bg-chart4',
  mauve: 'bg-chart5',
}
export const getPigmentFill = (pigment: Pigment) => pigmentFills[pigment]

export const getPigmentInk = (pigment: Pigment) => `var(--k-chart${pigments.indexOf(pigment) + 1})`
