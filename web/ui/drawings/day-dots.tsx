export type DayDot = 'kept' | 'written' | 'missed' | 'forgiven' | 'ahead'

const radiusByKind: Record<DayDot, number> = { kept: 0.42, written: 0.42, missed: 0.2, forgiven: 0.28, ahead: 0.2 }
const fillByKind: Record<DayDot, string> = {
  kept: 'var(--k-ribbon)',
  written: 'var(--k-chart1)',
  missed: 'var(--k-input)',
  forgiven: 'var(--k-background)',
  ahead: 'var(--k-card)',
}
const strokeByKind: Partial<Record<DayDot, string>> = { forgiven: 'var(--k-chart1)', ahead: 'var(--k-input)' }

const size = 12
const spacing = 15

export function DayDots({ days, label }: { days: readonly DayDot[]; label: string }) {
  const width = days.length * spacing
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={size}
      viewBox={`0 0 ${width} ${size}`}
      className="mt-3 mb-1.5 h-auto w-full"
    >
      <path d={`M0 ${size / 2}H${width}`} stroke="var(--k-border)" strokeWidth="1.5" />
      {days.map((day, index) => (
        <circle
          // biome-ignore lint/suspicious/noArrayIndexKey: points are identified by index
          key={index}
          cx={spacing * (index + 0.5)}
          cy={size / 2}
          r={size * radiusByKind[day]}
          fill={fillByKind[day]}
          stroke={strokeByKind[day] ?? 'none'}
        />
      ))}
    </svg>
  )
}
