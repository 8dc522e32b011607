/** Each fault of a table, whose rows list all faults that end alike, with its outcome. */
export const listOutcomes = (table: Record<string, string>): [fault: string, outcome: string][] =>
  Object.entries(table).flatMap(([outcome, faults]) =>
    (faults.match(/\S+/g) ?? []).map((fault): [string, string] => [fault, outcome]),
  )
