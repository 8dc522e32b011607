import { createSeededRandom, roundToTenth } from './seeded-random.ts'

export interface JourneyLineProps {
  seed: string
  progress: number
  points?: number
  width?: number
  height?: number
  className?: string
}

export function JourneyLine({
  seed,
  progress,
  points: count = 9,
  width = 320,
  height = 48,
  className,
}: JourneyLineProps) {
  const random = createSeededRandom(seed)
  const gaps = Math.max(count - 1, 1)
  const points = Array.from({ length: count }, (_, at) => ({
    x: roundToTenth(8 + (at * (width - 16)) / gaps),
    y: roundToTenth(height / 2 + (random() - 0.5) * (height - 16)),
  }))
  const line = points.reduce((path, point, at) => {
    const previous = points[at - 1]
    if (!previous) return `M${point.x} ${point.y}`
    const middle = roundToTenth((previous.x + point.x) / 2)
    return `${path}C${middle} ${previous.y} ${middle} ${point.y} ${point.x} ${point.y}`
  }, '')
  const present = Math.round(progress * gaps)
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={className ?? 'max-w-full overflow-visible'}
    >
      <path d={line} fill="none" stroke="var(--k-border)" strokeWidth="2" />
      <path
        d={line}
        fill="none"
        stroke="var(--k-chart1)"
        strokeWidth="2"
        pathLength={100}
        strokeDasharray={`${roundToTenth(progress * 100)} 100`}
      />
      {points.map(({ x, y }, at) => (
        <circle
          key={x}
          cx={x}
          cy={y}
          r={at === present ? 5 : 3.4}
          fill={at === present ? 'var(--k-ribbon)' : at < present ? 'var(--k-chart1)' : 'var(--k-card)'}
          stroke={at <= present ? 'var(--k-card)' : 'var(--k-border)'}
          strokeWidth="1.5"
        />
      ))}
    </svg>
  )
}
