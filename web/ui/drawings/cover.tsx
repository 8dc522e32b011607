import { classNames } from '../hooks/class-names.ts'
import { coverBlocks } from './cover-blocks.tsx'
import { createSeededRandom } from './seeded-random.ts'

export interface CoverProps {
  /** The keeper's id; determines the whole drawing. */
  seed: string
  width?: number
  height?: number
  ribbon?: boolean
  className?: string
}

export function Cover({ seed, width = 84, height = 112, ribbon = false, className }: CoverProps) {
  const random = createSeededRandom(seed)
  const drawPattern = coverBlocks[Math.floor(random() * coverBlocks.length)]
  const clothIndex = 1 + Math.floor(random() * 5)
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
