export function ThemeFileProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 1) return <>{problems[0]}</>
  return (
    <ul className="list-disc ps-4">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
