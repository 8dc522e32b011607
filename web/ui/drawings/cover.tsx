import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { createSeededRandom, roundToTenth } from './seeded-random.ts'

export interface CoverProps {
  /** The keeper's ID; determines the whole drawing. */
  seed: string
  width?: number
  height?: number
  ribbon?: boolean
  className?: string
}

export function Cover({ seed, width = 84, height = 112, ribbon = false, className }: CoverProps) {
  const { random, drawPattern, clothIndex } = chooseMaterials(seed)
  return (
    <svg
      width={width}
      height={height}
      viewBox="0 0 120 160"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      data-cloth={clothIndex}
      className={classNames('book-cover shrink-0 overflow-hidden shadow-e2', className)}
    >
      <rect width="7" height="160" fill="#000" opacity=".17" />
      <rect x="7" width="1" height="160" fill="#fff" opacity=".13" />
      <rect x="13" y="6" width="101" height="148" fill="none" stroke="var(--foil)" strokeWidth=".7" opacity=".5" />
      {drawPattern?.(random)}
      {ribbon && <path d="M90 0h13v37l-6.5-7-6.5 7z" fill="var(--k-ribbon)" />}
    </svg>
  )
}

/** Colors in cover.css. */
const clothCount = 5

function chooseMaterials(seed: string) {
  const random = createSeededRandom(seed)
  const drawPattern = coverBlocks[Math.floor(random() * coverBlocks.length)]
  return { random, drawPattern, clothIndex: 1 + Math.floor(random() * clothCount) }
}

/** The `data-cloth` of a cover, for other parts of its book. */
export const getClothIndex = (seed: string) => chooseMaterials(seed).clothIndex

const coverBlocks: ((random: () => number) => ReactNode)[] = [
  drawSea,
  drawLeaf,
  drawArches,
  drawStars,
  drawContours,
  drawSeeds,
]

function Line({ d, width = 1.4, opacity = 0.9 }: { d: string; width?: number; opacity?: number }) {
  return (
    <path
      d={d}
      fill="none"
      stroke="var(--foil)"
      strokeWidth={width}
      opacity={roundToTenth(opacity * 10) / 10}
      strokeLinecap="round"
    />
  )
}

function drawSea() {
  const rows = range(12).map((row) => 58 + row * 8)
  return (
    <>
      {rows.map((y) => {
        const swell = roundToTenth(-5 + (y - 58) * 0.03)
        return <Line key={y} d={`M14 ${y}${` q6 ${swell} 12 0`.repeat(8)}`} width={1.2} opacity={1 - (y - 58) / 130} />
      })}
      <circle cx="84" cy="40" r="15" fill="var(--foil)" />
    </>
  )
}

function drawLeaf() {
  return (
    <>
      <Line d="M61 140C60 110 60 80 62 34" width={1.6} />
      {range(8).map((pair) => {
        const y = 128 - pair * 12
        const leafWidth = 26 - pair * 1.9
        const [half, full, tip] = [leafWidth * 0.5, leafWidth, leafWidth + 2].map(roundToTenth)
        const innerCurve = roundToTenth(leafWidth * 0.6)
        return (
          <g key={pair} fill="var(--foil)">
            <path
              d={`M61 ${y}c${half}-3 ${full}-9 ${tip}-18c-${innerCurve} 0-${full} 7-${tip} 18z`}
              opacity={pair % 2 ? 0.9 : 0.55}
            />
            <path
              d={`M61 ${y - 5}c-${half}-3-${full}-9-${tip}-18c${innerCurve} 0 ${full} 7 ${tip} 18z`}
              opacity={pair % 2 ? 0.55 : 0.9}
            />
          </g>
        )
      })}
    </>
  )
}

function drawArches() {
  return (
    <>
      {range(7).map((index) => {
        const ring = index + 1
        return (
          <Line
            key={ring}
            d={`M${60 - ring * 7} 138a${ring * 7} ${ring * 9} 0 0 1 ${ring * 14} 0`}
            width={1.3}
            opacity={1 - ring * 0.07}
          />
        )
      })}
      <Line d="M12 138H108" width={1.6} />
    </>
  )
}

function drawStars(random: () => number) {
  const bright = range(8)
    .map(() => ({ x: 20 + random() * 80, y: 32 + random() * 104, r: 1.6 + random() * 2.2 }))
    .sort((a, b) => a.y - b.y)
  const faint = range(26).map(() => ({ x: 14 + random() * 92, y: 24 + random() * 120 }))
  return (
    <>
      <Line
        d={`M${bright.map(({ x, y }) => `${roundToTenth(x)} ${roundToTenth(y)}`).join('L')}`}
        width={0.8}
        opacity={0.6}
      />
      <g fill="var(--foil)">
        {bright.map(({ x, y, r }) => (
          <circle key={`${x}`} cx={roundToTenth(x)} cy={roundToTenth(y)} r={roundToTenth(r)} />
        ))}
        {faint.map(({ x, y }) => (
          <circle key={`${x}`} cx={roundToTenth(x)} cy={roundToTenth(y)} r=".8" opacity=".55" />
        ))}
      </g>
    </>
  )
}

function drawContours() {
  return range(7).map((line) => {
    const points = range(19).map((step) => {
      const x = 8 + step * 6
      const hill = Math.exp(-(((x - 58 - line * 4) / 40) ** 2))
      return `L${x} ${roundToTenth(64 + line * 13 - 16 * Math.sin(x / 19 + line * 0.5) * hill)}`
    })
    return <Line key={line} d={`M8 ${64 + line * 13}${points.join('')}`} width={1.3} opacity={0.95 - line * 0.06} />
  })
}

function drawSeeds(random: () => number) {
  return range(63).map((index) => {
    const row = Math.floor(index / 7)
    const x = 18 + (index % 7) * 14 + (row % 2 ? 7 : 0)
    const opacity = roundToTenth(0.45 + random() * 0.5)
    if (x >= 106) return null
    return <path key={index} d={`M${x} ${44 + row * 12}q4-5 0-10q-4 5 0 10`} fill="var(--foil)" opacity={opacity} />
  })
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
