import type { PlatformKeyStats } from '#contract/keys/keys.ts'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'

export function PlatformKeyStatTiles({ stats }: { stats: PlatformKeyStats }) {
  const providers = Object.values(stats.byProvider).filter((count) => count > 0).length
  return (
    <div className="mb-5 grid grid-cols-4 gap-x-6 gap-y-4 border-b border-border pb-5 phone:grid-cols-2">
      <StatTile label="Total Keys" value={stats.total} />
      <StatTile label="Active Keys" value={stats.active} />
      <StatTile label="Providers" value={providers} />
      <StatTile
        label="Status"
        value={stats.hasActiveKeys ? 'Healthy' : 'Warning'}
        tone={stats.hasActiveKeys ? 'success' : 'neutral'}
      />
    </div>
  )
}
