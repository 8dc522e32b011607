import { truncate } from '#contract/truncate.ts'
import { getScaleBar, labelPlaces, projectPlaces, type Sheet } from './map-projection.ts'
import type { LocatedPlace } from './places.ts'

const charSize = { width: 6.2, height: 13 }
const maxNameLength = 18
const gridGap = 40
const maxScaleBarWidth = 80
const scaleBarHeight = 18

interface PlaceSketchProps {
  /** In order of the first visit. */
  places: readonly LocatedPlace[]
  sheet: Sheet
  ink: string
  /** Connects the places in order and marks the last one. */
  isRoute?: boolean
  chosenPlace?: LocatedPlace | undefined
}

export function PlaceSketch({ places, sheet, ink, isRoute = false, chosenPlace }: PlaceSketchProps) {
  const { points, metersPerPixel } = projectPlaces(places, sheet)
  const scaleBar = getScaleBar(metersPerPixel, maxScaleBarWidth)
  const markedPlace = isRoute ? places.at(-1) : chosenPlace
  // Label the most important places first, so that they get the space.
  const getWeight = (place: LocatedPlace) => {
    if (place === chosenPlace) return Number.POSITIVE_INFINITY
    return isRoute ? 0 : place.moments
  }
  const namedPoints = places
    .flatMap((place, index) => (points[index] ? [{ place, point: points[index], name: shortenName(place.name) }] : []))
    .sort((a, b) => getWeight(b.place) - getWeight(a.place))
  const labels = labelPlaces(
    namedPoints.map(({ point }) => point),
    namedPoints.map(({ name }) => name),
    { ...sheet, height: sheet.height - scaleBarHeight },
    charSize,
  )
  return (
    <svg
      role="img"
      aria-label={`A sketch of ${places.length === 1 ? 'one place' : `${places.length} places`}`}
      viewBox={`0 0 ${sheet.width} ${sheet.height}`}
      className="block h-auto w-full border-b border-hairline bg-paper"
    >
      {getGridLines(sheet.width).map((x) => (
        <path key={`x${x}`} d={`M${x} 0V${sheet.height}`} stroke="var(--k-hairline)" strokeWidth=".7" />
      ))}
      {getGridLines(sheet.height).map((y) => (
        <path key={`y${y}`} d={`M0 ${y}H${sheet.width}`} stroke="var(--k-hairline)" strokeWidth=".7" />
      ))}
      {isRoute && (
        <path
          d={points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')}
          fill="none"
          stroke={ink}
          strokeWidth="1.4"
          strokeDasharray="1 5"
          strokeLinecap="round"
        />
      )}
      {(isRoute ? namedPoints : namedPoints.toReversed()).map(({ place, point: { x, y } }) => (
        <circle
          key={`${place.lat} ${place.lng}`}
          cx={x}
          cy={y}
          r={Math.min(9, 4 + Math.sqrt(place.moments))}
          fill={place === markedPlace ? 'var(--k-ribbon)' : 'var(--k-paper)'}
          stroke={ink}
          strokeWidth="2.2"
        />
      ))}
      {namedPoints.map(({ place, name }, index) => {
        const label = labels[index]
        return (
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
              {name}
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
          <path d={`M0-4V0H${scaleBar.pixels.toFixed(1)}V-4`} fill="none" strokeWidth="1.2" />
          <text x={scaleBar.pixels + 6} y="1" fontSize="10" stroke="none" fill="var(--k-muted-foreground)">
            {scaleBar.label}
          </text>
        </g>
      )}
    </svg>
  )
}

const shortenName = (name: string) => (name.length > maxNameLength ? `${truncate(name, maxNameLength - 1)}…` : name)
const getGridLines = (length: number) =>
  Array.from({ length: Math.ceil(length / gridGap) - 1 }, (_, index) => (index + 1) * gridGap)
