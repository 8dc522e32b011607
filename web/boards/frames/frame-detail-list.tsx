export function FrameDetailList({ details }: { details: readonly (readonly [label: string, value: string | null])[] }) {
  return (
    <dl className="grid gap-2.5 text-ui">
      {details.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-small text-muted-foreground">{label}</dt>
          <dd className="wrap-break-word">{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
