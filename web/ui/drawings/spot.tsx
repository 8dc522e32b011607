export type SpotName = 'drawer' | 'lamp' | 'path' | 'letter' | 'seal' | 'leaf' | 'frames'

interface Strokes {
  tint?: string
  ink: string
  fine?: string
  ribbon: string
}

const drawings: Record<SpotName, Strokes> = {
  drawer: {
    tint: 'M30 52h72l10 30H20z',
    ink: 'M22 26h88v22M22 26v22M14 52h104l-6 34H20zM14 52l8-4h88l8 4M56 66h20M28 34h76',
    ribbon: 'M86 52h9v19l-4.5-4.5L86 71z',
  },
  lamp: {
    tint: 'M34 44h44l18 48H16z',
    ink: 'M44 18h24l10 26H34zM56 44v44M40 92h34a4 4 0 0 0-4-4H44a4 4 0 0 0-4 4M84 92h34M86 92v-7h30v7M88 85v-6h24v6',
    ribbon: 'M98 79h6v12l-3-3-3 3z',
  },
  path: {
    ink: 'M8 70c18-22 32-22 46-6 12-18 30-22 46-8 8 6 16 10 24 12M8 92h116M50 92c2-8 14-8 12-14s10-8 8-14',
    fine: 'M24 40c3-3 5-3 7 0 2-3 4-3 7 0',
    ribbon: 'M82 28a10 10 0 1 0 20 0a10 10 0 1 0-20 0',
  },
  letter: {
    tint: 'M20 38h92v52H20z',
    ink: 'M20 38h92v52H20zM20 40l46 30 46-30M40 38V16h52v22M50 26h32M50 33h20',
    ribbon: 'M58 72a8 8 0 1 0 16 0a8 8 0 1 0-16 0',
  },
  seal: {
    ink: 'M66 14 96 31v34L66 82 36 65V31zM52 48a14 14 0 0 1 28 0M48 92h36M66 82v10M60 58h12',
    ribbon: 'M60 46a6 6 0 1 0 12 0a6 6 0 1 0-12 0',
  },
  leaf: {
    tint: 'M66 84c-30-8-36-38-22-62 30 6 40 36 22 62z',
    ink: 'M66 92C64 66 56 42 46 24M66 84c-30-8-36-38-22-62 30 6 40 36 22 62zM60 60l-14-4M56 46l-10-4M63 72l12-12M58 52l9-12M44 92h44',
    ribbon: 'M91 30a7 7 0 1 0 14 0a7 7 0 1 0-14 0',
  },
  frames: {
    tint: 'M22 22h48v34H22z',
    ink: 'M22 22h48v34H22zM78 34h34v50H78zM36 64h34v24H36zM22 32h48M84 44h22M84 52h22M84 60h14M70 40h8M57 64v-8',
    ribbon: 'M98 34h8v15l-4-4-4 4z',
  },
}

export interface SpotProps {
  name: SpotName
  width?: number
  className?: string
}

export function Spot({ name, width = 132, className }: SpotProps) {
  const { tint, ink, fine, ribbon } = drawings[name]
  return (
    <svg
      width={width}
      height={Math.round((width * 102) / 132)}
      viewBox="0 0 132 102"
      aria-hidden="true"
      className={className}
    >
      {tint && <path d={tint} fill="var(--k-ribbon-soft)" />}
      <g fill="none" stroke="var(--k-foreground)" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round">
        <path d={ink} />
        {fine && <path d={fine} strokeWidth="1.3" />}
      </g>
      <path d={ribbon} fill="var(--k-ribbon)" />
    </svg>
  )
}
