import { useQuery } from '@tanstack/react-query'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import { moments } from '#contract/keepers/moments.ts'
import { ApiError, call } from '#web/api.ts'
import { pigmentInk } from '#web/keepers/pigments.ts'
import { livedBy, useLivedUntil } from '../../journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery } from '../frame-query.tsx'
import { labelPlaces, project, scaleBar } from './map-projection.ts'
import { type JourneyOfFrame, OfJourney } from './of-journey.tsx'
import { type PlacedMoment, placesOf, type Visited } from './places.ts'

const sheet = { width: 320, height: 190, margin: 34 }
const letter = { width: 6.2, height: 13 }
const mostPages = 10
const pageLength = 100
const mostAsked = 50

const samplePlaces: PlacedMoment[] = [
  { id: 'sample-bead-1', localDate: '2026-03-08', place: { name: 'The yard', lat: 60.392, lng: 5.31 } },
  { id: 'sample-bead-2', localDate: '2026-04-19', place: { name: 'The slip', lat: 60.401, lng: 5.322 } },
  { id: 'sample-bead-3', localDate: '2026-05-03', place: { name: 'Skerry bay', lat: 60.426, lng: 5.245 } },
]

/** Where a journey was, drawn by how its places lie to each other. Nothing is fetched from any map. */
export function JourneyMapFrame(props: FrameBodyProps) {
  return <OfJourney {...props}>{(found) => <Places {...found} />}</OfJourney>
}

function Places({ journey, whose }: JourneyOfFrame) {
  const until = useLivedUntil()
  const query = useQuery({
    queryKey: ['keeper', 'on-board', 'places', journey.id, whose, journey.beads.map(({ id }) => id).join(' ')],
    queryFn: ({ signal }) => placedMoments({ journey, whose }, signal),
    networkMode: whose.kind === 'sample' ? 'always' : 'online',
  })
  return (
    <FrameQuery query={query} what="journey">
      {({ placed, isWhole }) => (
        <Sketch moments={livedBy(placed, until)} isWhole={isWhole} ink={pigmentInk(journey.color)} />
      )}
    </FrameQuery>
  )
}

interface Placed {
  placed: PlacedMoment[]
  /** No moment is left out. */
  isWhole: boolean
}

async function placedMoments({ journey, whose }: JourneyOfFrame, signal: AbortSignal): Promise<Placed> {
  if (whose.kind === 'sample') return { placed: samplePlaces, isWhole: true }
  const found: PlacedMoment[] = []
  let cursor: string | undefined
  let isWhole = false
  for (let page = 0; page < mostPages; page++) {
    const next =
      whose.kind === 'own'
        ? await call(moments.list, {
            params: { id: whose.keeperId },
            query: { journeyId: journey.id, limit: pageLength, cursor },
            signal,
          })
        : await call(sharingInDomains.journey, {
            params: { id: whose.domainId, journeyId: journey.id },
            query: { limit: pageLength, cursor },
            signal,
          }).then(({ moments: items, next_cursor }) => ({ items, next_cursor }))
    found.push(...next.items)
    isWhole = next.next_cursor === null
    if (next.next_cursor === null) break
    cursor = next.next_cursor
  }
  if (whose.kind !== 'own') return { placed: found, isWhole }
  // What only hangs on a waypoint is not listed with its journey.
  const known = new Set(found.map(({ id }) => id))
  const hung = journey.beads.filter(({ id, waypointId }) => waypointId !== null && !known.has(id))
  const others = await Promise.all(hung.slice(-mostAsked).map(({ id }) => shownOrGone(id, signal)))
  return {
    placed: [...found, ...others.filter((moment) => moment !== undefined)],
    isWhole: isWhole && hung.length <= mostAsked,
  }
}

async function shownOrGone(id: string, signal: AbortSignal): Promise<PlacedMoment | undefined> {
  try {
    return await call(moments.show, { params: { id }, signal })
  } catch (reason) {
    if (reason instanceof ApiError && reason.status === 404) return undefined
    throw reason
  }
}

interface SketchProps extends Pick<Placed, 'isWhole'> {
  moments: readonly PlacedMoment[]
  ink: string
}

function Sketch({ moments: placed, isWhole, ink }: SketchProps) {
  const { drawn, listed } = placesOf(placed)
  if (drawn.length === 0 && listed.length === 0)
    return (
      <FrameNote>
        {isWhole
          ? 'No moment of this journey names a place yet.'
          : 'None of the newest moments of this journey names a place.'}
      </FrameNote>
    )
  return (
    <div className="@container flex flex-col">
      {drawn.length > 0 && <Drawing places={drawn} ink={ink} />}
      <div className="grid grid-cols-1 gap-x-6 px-3.5 py-2 @min-[480px]:grid-cols-2">
        {drawn.length > 0 && (
          <ol aria-label="Places in the order of the first visit">
            {drawn.map((place, at) => (
              <li key={`${place.lat} ${place.lng}`} className="flex gap-2.5 border-b border-hairline py-1.5 text-ui">
                <span className="w-5 shrink-0 text-end text-muted-foreground tabular-nums">{at + 1}</span>
                <PlaceWords place={place} />
              </li>
            ))}
          </ol>
        )}
        {listed.length > 0 && (
          <section aria-label="Places without coordinates">
            <h4 className="mt-1.5 text-small font-label text-muted-foreground">Without coordinates</h4>
            <ul>
              {listed.map((place) => (
                <li key={place.name} className="border-b border-hairline py-1.5 text-ui">
                  <PlaceWords place={place} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {!isWhole && (
        <p className="px-3.5 pb-2 text-small text-muted-foreground">
          Only the places of its newest moments: it has too many to look at all of them here.
        </p>
      )}
    </div>
  )
}

function PlaceWords({ place: { name, moments: count } }: { place: Visited }) {
  return (
    <span className="min-w-0 wrap-anywhere">
      {name}
      <span className="text-small text-muted-foreground">{count === 1 ? ', one moment' : `, ${count} moments`}</span>
    </span>
  )
}

function Drawing({ places, ink }: { places: ReturnType<typeof placesOf>['drawn']; ink: string }) {
  const { points, metresPerPixel } = project(places, sheet)
  const names = places.map(({ name }) => (name.length > 18 ? `${name.slice(0, 17)}…` : name))
  const labels = labelPlaces(points, names, { ...sheet, height: sheet.height - 18 }, letter)
  const bar = scaleBar(metresPerPixel, 80)
  return (
    <svg
      role="img"
      aria-label={`A sketch of ${places.length === 1 ? 'one place' : `${places.length} places`}`}
      viewBox={`0 0 ${sheet.width} ${sheet.height}`}
      className="block h-auto w-full border-b border-hairline bg-paper"
    >
      {[1, 2, 3, 4, 5, 6, 7].map((line) => (
        <path key={`x${line}`} d={`M${line * 40} 0V${sheet.height}`} stroke="var(--k-hairline)" strokeWidth=".7" />
      ))}
      {[1, 2, 3, 4].map((line) => (
        <path key={`y${line}`} d={`M0 ${line * 40}H${sheet.width}`} stroke="var(--k-hairline)" strokeWidth=".7" />
      ))}
      <path
        d={points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')}
        fill="none"
        stroke={ink}
        strokeWidth="1.4"
        strokeDasharray="1 5"
        strokeLinecap="round"
      />
      {points.map(({ x, y }, at) => {
        const place = places[at]
        return (
          place && (
            <circle
              key={`${place.lat} ${place.lng}`}
              cx={x}
              cy={y}
              r={Math.min(9, 4 + Math.sqrt(place.moments))}
              fill={at === points.length - 1 ? 'var(--k-ribbon)' : 'var(--k-paper)'}
              stroke={ink}
              strokeWidth="2.2"
            />
          )
        )
      })}
      {labels.map((label, at) => {
        const place = places[at]
        return (
          place &&
          label && (
            <text
              key={`${place.lat} ${place.lng}`}
              x={label.x}
              y={label.y}
              textAnchor={label.anchor}
              fontSize="12"
              className="font-serif"
              fill="var(--k-foreground)"
              stroke="var(--k-paper)"
              strokeWidth="3"
              paintOrder="stroke"
            >
              {names[at]}
            </text>
          )
        )
      })}
      <g transform={`translate(${sheet.width - 12} 22)`} fill="var(--k-muted-foreground)">
        <path d="M0-10 4 2 0-1-4 2Z" />
        <text y="13" fontSize="10" textAnchor="middle">
          N
        </text>
      </g>
      {places.length > 1 && (
        <g transform={`translate(10 ${sheet.height - 10})`} stroke="var(--k-muted-foreground)">
          <path d={`M0-4V0H${bar.pixels.toFixed(1)}V-4`} fill="none" strokeWidth="1.2" />
          <text x={bar.pixels + 6} y="1" fontSize="10" stroke="none" fill="var(--k-muted-foreground)">
            {bar.words}
          </text>
        </g>
      )}
    </svg>
  )
}
