import { editionTexts, givenText } from '@/lib/drops/editions/edition-messages'
import { openStateText, openTexts } from '@/lib/drops/editions/open-messages'
import type { EditionRunView } from '@/lib/drops/editions/edition-view'

type EditionListProps = { runs: readonly EditionRunView[]; isOpenEdition: boolean }

/** Shows for each run of a numbered drop how many numbers were given, and which are retired. */
export function EditionList({ runs, isOpenEdition }: EditionListProps) {
  return (
    <ol reversed className="grid gap-4">
      {runs.map((run) => (
        <li key={run.run} className="grid gap-2 rounded-card bg-sunken p-5">
          <h2 className="text-xl font-bold">{isOpenEdition ? openStateText(run.isComplete) : `Run ${run.run}`}</h2>
          <p className="tabular">
            {givenText(run)}
            {isOpenEdition && !run.isComplete ? ` ${openTexts.totalAtTheEnd}` : null}
          </p>
          {run.retired.length > 0 ? (
            <>
              <h3 className="text-sm font-semibold">{editionTexts.retired}</h3>
              <ul className="tabular flex flex-wrap gap-x-3 gap-y-1 text-sm text-muted">
                {run.retired.map((number) => (
                  <li key={number}>No. {number}</li>
                ))}
              </ul>
            </>
          ) : (
            <p className="text-sm text-muted">{editionTexts.noneRetired}</p>
          )}
        </li>
      ))}
    </ol>
  )
}
