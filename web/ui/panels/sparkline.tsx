interface SparklineProps {
  label: string
  values: readonly number[]
}

const [width, height] = [100, 28]

export function Sparkline({ label, values }: SparklineProps) {
  const maxValue = Math.max(...values, 0)
  const pointStep = width / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${index * pointStep},${maxValue > 0 ? height - (value / maxValue) * height : height}`,
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${width} ${height + 2}`}
      preserveAspectRatio="none"
      className="block h-8 w-full"
    >
      <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} className="fill-chart1/15" />
      <polyline
        points={points.join(' ')}
        fill="none"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
        className="stroke-chart1"
      />
    </svg>
  )
}
