import { useNavigate } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { RemoveSample } from './remove-sample.tsx'

export function SampleBanner({ keeper }: { keeper: Keeper }) {
  const navigate = useNavigate()
  return (
    <section
      aria-label="Sample"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-dashed border-border px-4 py-3 text-ui"
    >
      <p className="min-w-0 flex-1 basis-80 text-muted-foreground">
        A sample with invented entries. Everything works, so try it. Agents read it only when you ask them to.
      </p>
      <RemoveSample keeper={keeper} onLeave={() => navigate('/keeper')} />
    </section>
  )
}
