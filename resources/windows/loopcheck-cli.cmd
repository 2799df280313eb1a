@rem Loopcheck without a window, for a command window and for scripts: it is waited for, its words come here, and its exit code is that of this file.
@"%~dp0Loopcheck.exe" --serve %*
@exit /b %errorlevel%
