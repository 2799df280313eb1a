import { useEffect } from 'react';

/** Number of pages that `total` rows fill; an empty list has one page. */
export function pageCount(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize));
}

/** Leads from a page past the end, as deletions leave it, to the last one. `pages` is undefined while the number of rows is not known. */
export function useLastPage(page: number, pages: number | undefined, setPage: (page: number) => void): void {
  const isPast = pages !== undefined && page > pages;
  useEffect(() => {
    if (isPast) setPage(pages);
  }, [isPast, pages, setPage]);
}
