import { defaultAvatar } from '#contract/agents/agent-constants.ts'

type SealClass = 'Standard' | 'Coordinator' | 'Lead' | 'Persona'

const sealShapes: Record<SealClass, { path: string; pigment: string; baseline: number }> = {
  Standard: {
    path: 'M2 20a18 18 0 1 0 36 0a18 18 0 1 0-36 0',
    pigment: 'var(--k-chart1)',
    baseline: 26,
  },
  Coordinator: {
    path: 'M20 1.5 36 10.7v18.6L20 38.5 4 29.3V10.7z',
    pigment: 'var(--k-chart3)',
    baseline: 26,
  },
  Lead: {
    path: 'M6 3h28a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H21l-8 7v-7H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z',
    pigment: 'var(--k-chart2)',
    baseline: 23,
  },
  Persona: {
    path: 'M3 6c10-4 24-4 34 0 0 16-4 30-17 32C7 36 3 22 3 6z',
    pigment: 'var(--k-chart4)',
    baseline: 26,
  },
}

/** The default avatar as a line drawing: a head with an antenna, ears, eyes and a mouth. */
const robotPath =
  'M14.5 11.5h11a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-11a3 3 0 0 1-3-3v-6a3 3 0 0 1 3-3zM20 11.5V8.2M18.8 7.6h2.4M8.8 15.8v3.4M31.2 15.8v3.4M16.6 15.8v1.2M23.4 15.8v1.2M17 20.4h6'

export interface SealProps {
  name: string
  /** Agent class; unknown ones look like Standard. */
  kind?: string
  size?: number
  color?: string
  avatar?: string
  className?: string
}

export function Seal({ name, kind = 'Standard', size = 40, color, avatar, className }: SealProps) {
  const shape = sealShapes[kind as SealClass] ?? sealShapes.Standard
  // Mixed with the theme's gray, so that a vivid color matches the pigments.
  const pigment = color ? `color-mix(in oklab, ${color} 60%, var(--k-muted-foreground))` : shape.pigment
  const ink = `color-mix(in srgb, ${pigment} 70%, var(--k-foreground))`
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" className={className}>
      <path
        d={shape.path}
        strokeWidth="1.4"
        stroke={pigment}
        fill={`color-mix(in srgb, ${pigment} 16%, var(--k-card))`}
      />
      {avatar === defaultAvatar ? (
        <path d={robotPath} fill="none" stroke={ink} strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
      ) : (
        <text
          x="20"
          y={shape.baseline}
          textAnchor="middle"
          fontSize="18"
          fontWeight="500"
          className="font-serif"
          fill={ink}
        >
          {avatar || getInitial(name)}
        </text>
      )}
    </svg>
  )
}

function getInitial(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?'
}
