export function Mark({ size = 22, className }: { size?: number; className?: string }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className={className}>
      <path
        d="M4 4.5A2.5 2.5 0 0 1 6.5 2H18a2 2 0 0 1 2 2v16a2 2 0 0 1-2 2H6.5A2.5 2.5 0 0 1 4 19.5z"
        fill="var(--k-chart1)"
      />
      <path d="M7 2v20" stroke="var(--k-background)" opacity=".55" />
      <path d="M12.5 2h4v10.5l-2-2-2 2z" fill="var(--k-ribbon)" />
    </svg>
  )
}
