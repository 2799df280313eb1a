import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { i18n } from '../i18n/index.ts';
import { EmptyState } from './empty-state.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface ErrorBoundaryState {
  readonly failed: boolean;
}

/** Keeps a fault of one view away from the rest of the page, and offers to build the view anew. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false };

  static getDerivedStateFromError(): ErrorBoundaryState {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState icon="warn" title={i18n.t('app:crash.title')} hint={i18n.t('app:crash.hint')}>
        <Button variant="default" onClick={() => this.setState({ failed: false })}>
          {i18n.t('app:action.retry')}
        </Button>
      </EmptyState>
    );
  }
}
