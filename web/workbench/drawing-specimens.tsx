import { Cover } from '../ui/drawings/cover.tsx'
import { DayDots } from '../ui/drawings/day-dots.tsx'
import { JourneyLine } from '../ui/drawings/journey-line.tsx'
import { Landscape } from '../ui/drawings/landscape.tsx'
import { Seal } from '../ui/drawings/seal.tsx'
import { Spot, type SpotName } from '../ui/drawings/spot.tsx'
import { Specimen, SpecimenRow } from './specimen.tsx'

const spots: SpotName[] = ['drawer', 'lamp', 'path', 'letter', 'seal', 'leaf', 'frames']
const pigments = [
  ['bg-chart1', 'iron-gall'],
  ['bg-chart2', 'ochre'],
  ['bg-chart3', 'verdigris'],
  ['bg-chart4', 'madder'],
  ['bg-chart5', 'mauve'],
] as const

export function DrawingSpecimens() {
  return (
    <>
      <Specimen title="Seals">
        <SpecimenRow>
          {['Standard', 'Coordinator', 'Lead', 'Persona'].map((kind) => (
            <span key={kind} className="flex items-center gap-1.5 text-small">
              <Seal name={kind} kind={kind} size={34} />
              {kind}
            </span>
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Covers">
        <SpecimenRow>
          {['harbour', 'kitchen', 'garden', 'father', 'work', 'letters', 'winter', 'bread'].map((seed, index) => (
            <Cover key={seed} seed={seed} width={66} height={88} ribbon={index % 3 === 0} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Spot drawings">
        <SpecimenRow>
          {spots.map((name) => (
            <Spot key={name} name={name} width={96} />
          ))}
        </SpecimenRow>
      </Specimen>
      <Specimen title="Pigments">
        <div className="flex flex-wrap gap-3">
          {pigments.map(([color, name]) => (
            <span key={name} className="flex flex-col items-center gap-1 text-small text-muted-foreground">
              <span className={`size-11 rounded-full ${color}`} />
              {name}
            </span>
          ))}
        </div>
      </Specimen>
      <Specimen title="Lines">
        <JourneyLine seed="harbour" progress={0.62} />
        <div className="my-4">
          <DayDots
            label="Written on 5 of the last 7 days"
            days={['written', 'kept', 'missed', 'written', 'kept', 'written', 'ahead']}
          />
        </div>
      </Specimen>
      <Specimen title="Landscape">
        <div className="aspect-4/3 overflow-hidden rounded-lg border border-border">
          <Landscape width={800} height={600} />
        </div>
      </Specimen>
    </>
  )
}
