export function Problems({ of }: { of: readonly string[] }) {
  if (of.length === 1) return <>{of[0]}</>
  return (
    <ul className="list-disc ps-4">
      {of.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
