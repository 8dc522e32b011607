import { memo, useId } from 'react'
import { createSeededRandom, roundToTenth } from './seeded-random.ts'

export interface LandscapeProps {
  width: number
  height: number
  seed?: string
  /** The sun: center and radius as fractions of the picture. */
  disc?: { x: number; y: number; radius: number }
  /** As a fraction of the height. */
  horizon?: number
  /** As fractions of the picture; hidden on phones. */
  birds?: readonly Bird[]
  className?: string
}

type Ridge = (x: number) => number

interface Bird {
  x: number
  y: number
  scale: number
}

const threeBirds: readonly Bird[] = [
  { x: 0.38, y: 0.2, scale: 1 },
  { x: 0.42, y: 0.17, scale: 0.75 },
  { x: 0.455, y: 0.215, scale: 0.6 },
]

const ridgeCount = 5
const stepWidth = 12

export const Landscape = memo(function Landscape({
  width,
  height,
  seed = 'keeper',
  disc = { x: 0.7, y: 0.3, radius: 0.1 },
  horizon = 0.42,
  birds = threeBirds,
  className,
}: LandscapeProps) {
  const id = useId()
  const random = createSeededRandom(seed)
  const ridges = Array.from({ length: ridgeCount }, (_, ridgeIndex) =>
    drawRidge(random, width, height, horizon, ridgeIndex),
  )
  const radius = Math.min(width, height) * disc.radius
  const [sunX, sunY] = [roundToTenth(width * disc.x), roundToTenth(height * disc.y)]
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height="100%"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className={className}
    >
      <circle cx={sunX} cy={sunY} r={roundToTenth(radius)} fill="var(--k-ribbon)" opacity=".92" />
      {[1, 2, 3, 4, 5].map((ring) => (
        <circle
          key={ring}
          cx={sunX}
          cy={sunY}
          r={roundToTenth(radius + ring * radius * 0.3)}
          fill="none"
          stroke="var(--k-ribbon)"
          opacity={roundToTenth(5 - ring * 0.8) / 10}
        />
      ))}
      {ridges.map((ridge, ridgeIndex) => (
        <EngravedRidge
          // biome-ignore lint/suspicious/noArrayIndexKey: the order never changes
          key={ridgeIndex}
          ridge={ridge}
          ridgeIndex={ridgeIndex}
          width={width}
          height={height}
          id={`${id}r${ridgeIndex}`}
          random={random}
        />
      ))}
      <Birds flock={birds} width={width} height={height} />
      <LightedPath ridge={ridges[1] as Ridge} width={width} height={height} />
    </svg>
  )
})

function drawRidge(random: () => number, width: number, height: number, horizon: number, ridgeIndex: number): Ridge {
  const base = height * horizon + (ridgeIndex * height * (1 - horizon)) / (ridgeCount - 0.35)
  const waves = Array.from({ length: 4 }, (_, order) => ({
    rise: ((height * (0.075 - 0.006 * ridgeIndex)) / (order + 1)) * (0.6 + random() * 0.8),
    pace: (1.1 + order * 1.25) * (0.7 + random() * 0.6),
    phase: random() * 6.28,
  }))
  return (x) =>
    waves.reduce((total, wave) => total + wave.rise * Math.sin((x / width) * wave.pace * 3.1 + wave.phase), base)
}

function EngravedRidge({
  ridge,
  ridgeIndex,
  width,
  height,
  id,
  random,
}: {
  ridge: Ridge
  ridgeIndex: number
  width: number
  height: number
  id: string
  random: () => number
}) {
  const isNear = ridgeIndex > 2
  const ridgePath = tracePath(ridge, width)
  const lineCount = 10 + ridgeIndex * 2
  return (
    <>
      <path className={`ridge-${ridgeIndex}`} d={`${ridgePath}V${height + 4}H-4z`} />
      <path d={ridgePath} fill="none" stroke="var(--k-chart1)" strokeWidth="1.1" opacity=".5" />
      <defs>
        {[0, 1, 2].map((variant) => (
          <path
            key={variant}
            id={`${id}${variant}`}
            d={tracePath((x) => ridge(x) + Math.sin(x / 37 + variant * 2.1 + ridgeIndex) * 1.5, width)}
          />
        ))}
      </defs>
      <g className={isNear ? 'hatch-near' : 'hatch-far'} strokeWidth={isNear ? 0.8 : 0.9} fill="none">
        {Array.from({ length: lineCount - 1 }, (_, index) => {
          const line = index + 1
          const dash = `${Math.round(20 + random() * 60)} ${Math.round(3 + random() * 12)}`
          return (
            <use
              key={line}
              href={`#${id}${line % 3}`}
              y={roundToTenth(line * line * (0.6 + ridgeIndex * 0.16) + line * 2.4)}
              opacity={Math.round((isNear ? 30 : 34) * (1 - line / lineCount)) / 100}
              strokeDasharray={line % 2 ? dash : undefined}
            />
          )
        })}
      </g>
    </>
  )
}

/** Relative steps take half the characters of absolute ones and compress better. */
function tracePath(getHeight: Ridge, width: number): string {
  let previousY = Math.round(getHeight(-4) * 10)
  let path = `M-4 ${previousY / 10}`
  for (let x = stepWidth - 4; x < width + 4 + stepWidth; x += stepWidth) {
    const nextY = Math.round(getHeight(x) * 10)
    const rise = (nextY - previousY) / 10
    path += `l${stepWidth}${rise < 0 ? '' : ' '}${rise}`
    previousY = nextY
  }
  return path
}

function Birds({ flock, width, height }: { flock: readonly Bird[]; width: number; height: number }) {
  return (
    <g fill="none" stroke="var(--k-chart1)" strokeWidth="1.3" opacity=".7" className="phone:hidden">
      {flock.map(({ x, y, scale }) => (
        <path
          key={x}
          d={`M${roundToTenth(width * x - 9 * scale)} ${roundToTenth(height * y - 3 * scale)}q5-4 9 3q4-7 9-3`}
        />
      ))}
    </g>
  )
}

function LightedPath({ ridge, width, height }: { ridge: Ridge; width: number; height: number }) {
  const goalY = ridge(width * 0.66) + 6
  const points = Array.from({ length: 61 }, (_, index) => {
    const progress = index / 60
    return {
      x: width * (0.36 + 0.3 * progress) + Math.sin(progress * 7.2 + 0.5) * width * 0.085 * (1 - progress * 0.8),
      y: height * 1.02 - (height * 1.02 - goalY) * progress,
    }
  })
  return (
    <>
      <path
        d={`M${points.map(({ x, y }) => `${roundToTenth(x)} ${roundToTenth(y)}`).join('L')}`}
        fill="none"
        stroke="#fbe9bf"
        strokeWidth="1.6"
        strokeDasharray="1 6"
        strokeLinecap="round"
        opacity=".95"
      />
      {[4, 13, 21, 29, 36, 43, 49, 54, 59].map((index) => {
        const { x, y } = points[index] as { x: number; y: number }
        const scale = 1 - index / 85
        return (
          <g key={index}>
            <circle
              cx={roundToTenth(x)}
              cy={roundToTenth(y)}
              r={roundToTenth(9 * scale)}
              fill="var(--k-ribbon)"
              opacity=".25"
            />
            <circle cx={roundToTenth(x)} cy={roundToTenth(y)} r={roundToTenth(3.6 * scale)} fill="#fbe3a6" />
          </g>
        )
      })}
    </>
  )
}
