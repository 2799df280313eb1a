import { Button, type ButtonProps, FileButton, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './drop-zone.module.css';
import { useFileDrop } from './use-file-drop.ts';

interface DropZoneProps {
  /** What can be dropped here, to a screen reader. */
  readonly label: string;
  onFile(file: File): void;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** A box that takes a file which is dropped on it; its words and buttons stand inside. */
export function DropZone({ label, onFile, testId, children }: DropZoneProps) {
  const { isOver, handlers } = useFileDrop(onFile);
  return (
    <section className={`${classes.zone} ${isOver ? classes.over : ''}`} aria-label={label} {...handlers} data-testid={testId}>
      {children}
    </section>
  );
}

interface ChooseFileProps extends ButtonProps, Readonly<Record<`data-${string}`, unknown>> {
  readonly label: string;
  onFile(file: File): void;
  /** Endings that the file dialog offers, with dots and commas; what the file holds decides. */
  readonly accept: string;
}

/** A button that opens the file dialog of the system. */
export function ChooseFile({ label, onFile, accept, ...look }: ChooseFileProps) {
  return (
    <FileButton onChange={(file) => file && onFile(file)} accept={accept} inputProps={{ 'aria-label': label }}>
      {(props) => (
        <Button variant="default" {...look} {...props}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}

/** Stands in the place of the box while its file is read. */
export function FileReading({
  text,
  testId,
  children,
}: {
  readonly text: string;
  readonly testId?: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={classes.zone} role="status" data-testid={testId}>
      <Loader size="sm" />
      <Text>{text}</Text>
      {children}
    </div>
  );
}
