import { seededRandom, tenth } from './seeded-random.ts'

export interface WaveProps {
  seed: string
  /** The part already heard, 0 to 1. */
  played?: number
  width?: number
  height?: number
  className?: string
}

export function Wave({ seed, played = 0, width = 220, height = 28, className }: WaveProps) {
  const random = seededRandom(seed)
  const bars = Array.from({ length: Math.floor(width / 4) }, (_, at) => {
    const x = at * 4
    const swell = 0.15 + 0.85 * Math.abs(Math.sin(x / 23) * Math.sin(x / 61 + 1))
    return { x, tall: Math.max(2, tenth(swell * (0.45 + random() * 0.55) * height)) }
  })
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={className ?? 'max-w-full'}
    >
      {bars.map(({ x, tall }) => (
        <rect
          key={x}
          x={x}
          y={tenth((height - tall) / 2)}
          width="2"
          height={tall}
          rx="1"
          fill={x < width * played ? 'var(--k-ribbon)' : 'var(--k-input)'}
        />
      ))}
    </svg>
  )
}
